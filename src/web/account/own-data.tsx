import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ownAccountApi } from '#domain/account/contract.ts';
import type { AppError } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { callApi } from '#web/app/api/api.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { IdentityField, proofRules, useProofKind } from '#web/auth/security/identity-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { saveFile } from '#web/ui/save-file.ts';

/** Downloads a person's personal data as JSON, after a fresh proof of identity. */
export function OwnData() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant="secondary" className="max-sm:w-full" onClick={() => setIsAsking(true)}>
        <Download aria-hidden />
        Download your data
      </Button>
      <Dialog open={isAsking} onOpenChange={setIsAsking}>
        <DownloadDialog onClose={() => setIsAsking(false)} />
      </Dialog>
    </>
  );
}

function DownloadDialog({ onClose }: { onClose: () => void }) {
  const { brand } = useProduct();
  const { user } = useAuth();
  const form = useForm<{ proof: string }>();
  const { register, handleSubmit, resetField, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);
  const { kind, choice, readProof } = useProofKind(() => resetField('proof'));

  async function download({ proof }: { proof: string }) {
    try {
      const data = await callApi(ownAccountApi.getOwnData, readProof(proof));
      const name = `${brand.toLowerCase()}-data-${wallTimeOf(data.madeAt).date}.json`;
      saveFile({ name, type: 'application/json', text: `${JSON.stringify(data, null, 2)}\n` });
      toastSuccess('Data downloaded', name);
      onClose();
    } catch (error) {
      showRefusal(error as AppError, 'proof');
    }
  }

  return (
    <DialogContent
      title="Download your data"
      description="The file contains your personal data, so please confirm it's you."
      size="sm"
    >
      <DialogForm
        onSubmit={handleSubmit(download)}
        onCancel={onClose}
        submit="Download"
        isPending={isSubmitting}
        pendingLabel="Collecting..."
        className="flex flex-col gap-4"
      >
        <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
        <IdentityField
          kind={kind}
          error={errors.proof?.message}
          registration={register('proof', proofRules[kind])}
        />
        {choice}
        {notice}
      </DialogForm>
    </DialogContent>
  );
}
