import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { ownAccountApi } from '#domain/account/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { DownloadDialog } from './download-dialog.tsx';

/** Downloads a person's personal data as JSON, after a fresh proof of identity. */
export function OwnData() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant="secondary" className="max-sm:w-full" onClick={() => setIsAsking(true)}>
        <Download aria-hidden />
        Download your data
      </Button>
      <DownloadDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Download your data"
        description="The file contains your personal data, so please confirm it's you."
        fileName="data"
        collect={(proof) => callApi(ownAccountApi.getOwnData, proof)}
      />
    </>
  );
}
