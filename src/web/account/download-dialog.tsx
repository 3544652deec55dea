import { useForm } from 'react-hook-form';
import type { OwnData } from '#domain/account/contract.ts';
import type { IdentityProof } from '#domain/auth/contract.ts';
import type { AppError } from '#domain/errors.ts';
import { wallTimeOf } from '#domain/time.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { IdentityField, proofRules, useProofKind } from '#web/auth/security/identity-field.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { saveFile } from '#web/ui/save-file.ts';

type DownloadDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** The part of the file's name between the brand and the date. */
  fileName: string;
  /** Fetches the data with a proof of identity. */
  collect: (proof: IdentityProof) => Promise<OwnData>;
};

/** Asks for a fresh proof of identity, then saves personal data as JSON. */
export function DownloadDialog({ isOpen, onClose, title, description, ...form }: DownloadDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || onClose()}>
      <DialogContent title={title} description={description} size="sm">
        <DownloadForm onClose={onClose} {...form} />
      </DialogContent>
    </Dialog>
  );
}

type DownloadFormProps = Pick<DownloadDialogProps, 'onClose' | 'fileName' | 'collect'>;

function DownloadForm({ onClose, fileName, collect }: DownloadFormProps) {
  const { brand } = useProduct();
  const { user } = useAuth();
  const form = useForm<{ proof: string }>();
  const { register, handleSubmit, resetField, formState } = form;
  const { errors, isSubmitting } = formState;
  const { showRefusal, notice } = useRefusal(form);
  const { kind, choice, readProof } = useProofKind(() => resetField('proof'));

  async function download({ proof }: { proof: string }) {
    try {
      const data = await collect(readProof(proof));
      const name = `${brand.toLowerCase()}-${fileName}-${wallTimeOf(data.madeAt).date}.json`;
      saveFile({ name, type: 'application/json', text: `${JSON.stringify(data, null, 2)}\n` });
      toastSuccess('Data downloaded', name);
      onClose();
    } catch (error) {
      showRefusal(error as AppError, 'proof');
    }
  }

  return (
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
  );
}
