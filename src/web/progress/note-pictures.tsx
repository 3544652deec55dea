import { useMutation, useQueryClient } from '@tanstack/react-query';
import ImagePlus from 'lucide-react/icons/image-plus';
import X from 'lucide-react/icons/x';
import type { AppError } from '#domain/errors.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import type { ProgressNote } from '#domain/progress/progress-shapes.ts';
import { noteLimits } from '#domain/progress/rules.ts';
import { callApi, invalidate } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PictureButton } from '#web/storage/picture-button.tsx';
import { decodePicture, shrinkPicture } from '#web/storage/picture-canvas.ts';
import { RemovePictureDialog } from '#web/storage/remove-picture-dialog.tsx';
import { uploadFile } from '#web/storage/storage-client.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';

/** The longer side of an uploaded picture in pixels: small enough for a weak signal. */
const uploadPixels = 1_600;

/** The pictures of a note, with buttons to add and remove them, or a sentence if the family doesn't allow pictures. */
export function NotePictures({ note, isAllowed }: { note: ProgressNote; isAllowed: boolean }) {
  const { noteId, pictures } = note;
  const { user } = useAuth();
  const client = useQueryClient();
  const add = useMutation<void, AppError, File>({
    mutationFn: async (file) => {
      const picture = await decodePicture(file);
      const path = `${user!.id}/notes/${crypto.randomUUID()}`;
      await uploadFile('attachments', path, await shrinkPicture(picture, uploadPixels));
      picture.close();
      await callApi(notesApi.addPicture, { noteId, path });
      await invalidate(client, [notesApi.getOfLesson]);
    },
    onError: (error) => toastError(error.message),
  });
  const removing = useDialogItem<string>();
  const remove = useApiMutation(notesApi.removePicture, {
    invalidates: [notesApi.getOfLesson],
    onSuccess: removing.close,
  });
  if (!isAllowed) {
    return <p className="text-xs text-muted-foreground">This family doesn't allow photos for coaching.</p>;
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      {pictures.map(({ path, url, width, height }, index) => (
        <span key={path} className="relative">
          <img
            {...{ src: url, width, height }}
            alt={`${index + 1} of ${pictures.length}`}
            className="size-20 rounded-lg border bg-muted object-cover"
          />
          <button
            type="button"
            aria-label={`Remove picture ${index + 1}`}
            disabled={remove.isPending}
            onClick={() => removing.open(path)}
            className="absolute -top-2 -right-2 flex size-8 items-center justify-center rounded-full border bg-card touch:size-11"
          >
            <X aria-hidden className="size-4" />
          </button>
        </span>
      ))}
      {pictures.length < noteLimits.pictures && (
        <PictureButton
          variant="secondary"
          size="sm"
          isLoading={add.isPending}
          loadingText="Adding..."
          onChoose={(file) => add.mutate(file)}
        >
          <ImagePlus aria-hidden />
          Add a picture
        </PictureButton>
      )}
      <RemovePictureDialog
        isOpen={removing.isOpen}
        onClose={removing.close}
        isPending={remove.isPending}
        onConfirm={() =>
          removing.item &&
          remove.mutate({ noteId, path: removing.item }, { onError: (error) => toastError(error.message) })
        }
      >
        We'll delete the picture.{note.isShared && ' The family will no longer see it.'}
      </RemovePictureDialog>
    </div>
  );
}
