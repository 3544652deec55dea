import { checksApi } from '#domain/verification/checks-contract.ts';
import type { CoachDocument, TrustFile } from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { describeStanding, type KindState, nameSchemes, titleOfKind } from '../check-text.ts';
import { DocumentFacts } from '../document-facts.tsx';
import { AcceptDialog, DeclineDialog } from './decide-dialogs.tsx';
import { RecordCheckDialog } from './record-check-dialog.tsx';
import { StatusCheckDialog } from './status-check-dialog.tsx';

type CheckedKindProps = { state: KindState; file: TrustFile; today: string };

/** One kind of a coach's documents, with buttons for an admin's decisions. */
export function CheckedKind({ state, file, today }: CheckedKindProps) {
  const { kind, documents, schemes } = state;
  const { profile } = useAuth();
  const isCheck = kind === 'criminal_record_check';
  // The server refuses decisions about one's own documents.
  const isOwn = profile?.userId === file.coachId;
  const standing = describeStanding(state, today);
  const recording = useDialogItem<true>();
  const accepting = useDialogItem<CoachDocument>();
  const declining = useDialogItem<CoachDocument>();
  const asking = useDialogItem<CoachDocument>();
  return (
    <Section
      title={titleOfKind(kind)}
      description={
        isCheck
          ? `${schemes.length > 0 ? `${nameSchemes(schemes)}, depending on the nation of the coach's locations.` : "The coach hasn't said which nation the locations are in."} Look at the original, then record the check here. Don't store anything else that the certificate says.`
          : undefined
      }
      actions={
        <>
          <Badge tone={standing.tone}>{standing.label}</Badge>
          {isCheck && !isOwn && (
            <Button size="sm" variant="secondary" onClick={() => recording.open(true)}>
              Record a check
            </Button>
          )}
        </>
      }
    >
      {documents.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          {state.isAsked ? 'Required of this coach, but missing.' : 'Not required of this coach.'}
        </p>
      ) : (
        <ul aria-label={titleOfKind(kind)} className="divide-y border-y">
          {documents.map((document) => (
            <li
              key={document.documentId}
              className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4 py-5"
            >
              <div className="min-w-0 grow basis-80 space-y-3">
                <StatusBadge document={document} />
                {document.declineReason && (
                  <p className="text-sm wrap-anywhere text-destructive">{document.declineReason}</p>
                )}
                <DocumentFacts document={document} />
              </div>
              <span className="flex flex-wrap gap-2">
                {document.hasFile && <OpenFileButton document={document} />}
                {!isOwn && document.status === 'submitted' && (
                  <Button size="sm" onClick={() => accepting.open(document)}>
                    Accept
                  </Button>
                )}
                {!isOwn && document.status === 'accepted' && document.scheme === 'dbs' && file.consent && (
                  <Button size="sm" variant="secondary" onClick={() => asking.open(document)}>
                    Record a status check
                  </Button>
                )}
                {!isOwn && (document.status === 'submitted' || document.status === 'accepted') && (
                  <Button size="sm" variant="secondary" onClick={() => declining.open(document)}>
                    Decline
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOwn && (
        <p className="mt-3 text-sm text-muted-foreground">
          Another admin has to decide on your own documents.
        </p>
      )}
      {isCheck && (
        <RecordCheckDialog
          key={`record ${recording.openings}`}
          file={file}
          isOpen={recording.isOpen}
          onClose={recording.close}
        />
      )}
      {accepting.item && (
        <AcceptDialog
          key={`accept ${accepting.openings}`}
          document={accepting.item}
          coachName={file.coachName}
          isOpen={accepting.isOpen}
          onClose={accepting.close}
        />
      )}
      {declining.item && (
        <DeclineDialog
          key={`decline ${declining.openings}`}
          document={declining.item}
          coachName={file.coachName}
          isOpen={declining.isOpen}
          onClose={declining.close}
        />
      )}
      {asking.item && (
        <StatusCheckDialog
          key={`ask ${asking.openings}`}
          document={asking.item}
          isOpen={asking.isOpen}
          onClose={asking.close}
        />
      )}
    </Section>
  );
}

const statuses = {
  submitted: { label: 'Waiting to be checked', tone: 'primary' },
  accepted: { label: 'Accepted', tone: 'success' },
  declined: { label: 'Declined', tone: 'destructive' },
  replaced: { label: 'Replaced', tone: 'neutral' },
} as const;

function StatusBadge({ document: { status } }: { document: CoachDocument }) {
  const { label, tone } = statuses[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Downloads a document's file through an address that works once. The audit log records each opening. */
function OpenFileButton({ document: { documentId } }: { document: CoachDocument }) {
  const open = useApiMutation(checksApi.open);
  return (
    <Button
      size="sm"
      variant="secondary"
      isLoading={open.isPending}
      loadingText="Opening..."
      onClick={() =>
        open.mutate(
          { documentId },
          {
            onSuccess: ({ url }) => {
              const link = document.createElement('a');
              link.href = url;
              link.download = '';
              link.click();
            },
            onError: ({ message }) => toastError(message),
          },
        )
      }
    >
      Open file
    </Button>
  );
}
