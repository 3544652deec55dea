import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PictureButton } from './picture-button.tsx';
import { decodePicture } from './picture-canvas.ts';
import { RemovePictureDialog } from './remove-picture-dialog.tsx';
import { removeFile, uploadFile } from './storage-client.ts';

const CropDialog = lazyPart(() => import('./crop-dialog.tsx'), 'CropDialog');

/** Lets the signed-in person add, crop, replace or remove their own picture. */
export function AvatarForm() {
  const { profile, refreshProfile } = useAuth();
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const path = `${profile?.userId}/avatar`;
  const close = () => {
    chosen?.close();
    setChosen(null);
  };
  const save = useMutation<void, AppError, Blob>({
    mutationFn: (cropped) => uploadFile('avatars', path, cropped),
    onSuccess: async () => {
      await refreshProfile();
      close();
      toastSuccess('Picture saved');
    },
  });
  const remove = useMutation<void, AppError>({
    mutationFn: () => removeFile('avatars', path),
    onSuccess: async () => {
      await refreshProfile();
      setIsRemoving(false);
      toastSuccess('Picture removed');
    },
    onError: (error) => toastError(error.message),
  });
  if (!profile) return null;

  const choose = (file: File) =>
    decodePicture(file).then(
      (picture) => {
        save.reset();
        setChosen(picture);
      },
      (error: AppError) => toastError(error.message),
    );
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Avatar name={profile.fullName || profile.email} src={profile.avatarUrl} size="lg" />
      <div className="flex flex-wrap gap-2">
        <PictureButton variant="secondary" onChoose={choose}>
          {profile.avatarUrl ? 'Change picture' : 'Add a picture'}
        </PictureButton>
        {profile.avatarUrl && (
          <Button variant="ghost" onClick={() => setIsRemoving(true)}>
            Remove picture
          </Button>
        )}
      </div>
      <RemovePictureDialog
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title="Remove your picture?"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        We'll delete the picture and show your initials instead.
      </RemovePictureDialog>
      {chosen && (
        <Suspense fallback={null}>
          <CropDialog
            picture={chosen}
            isPending={save.isPending}
            refusal={save.error}
            onSave={(cropped) => save.mutate(cropped)}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}
