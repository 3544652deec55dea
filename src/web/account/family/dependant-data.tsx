import Download from 'lucide-react/icons/download';
import { Suspense } from 'react';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';

const DownloadDialog = lazyPart(() => import('../download-dialog.tsx'), 'DownloadDialog');

/** Downloads the data stored about a dependant, after a fresh proof of identity. */
export function DependantData({ participant: { participantId, fullName } }: { participant: Participant }) {
  const asking = useDialogItem<null>();
  return (
    <Section title="Data" description={`Everything that we store about ${fullName}, in one file.`}>
      <Button variant="secondary" className="max-sm:w-full" onClick={() => asking.open(null)}>
        <Download aria-hidden />
        Download the data
      </Button>
      {asking.openings > 0 && (
        <Suspense fallback={<OverlaySpinner />}>
          <DownloadDialog
            key={asking.openings}
            isOpen={asking.isOpen}
            onClose={asking.close}
            title={`Download ${fullName}'s data`}
            description="The file contains personal data, so please confirm it's you."
            fileName="family-data"
            collect={(proof) => callApi(participantDataApi.download, { ...proof, participantId })}
          />
        </Suspense>
      )}
    </Section>
  );
}
