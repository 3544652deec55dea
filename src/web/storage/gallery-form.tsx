import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { buckets } from '#domain/storage/buckets.ts';
import { type GalleryPicture, storageApi } from '#domain/storage/contract.ts';
import { srcSetOf } from '#domain/storage/picture-url.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { PictureButton } from './picture-button.tsx';
import { decodePicture } from './picture-canvas.ts';
import { RemovePictureDialog } from './remove-picture-dialog.tsx';
import { removeFile } from './storage-client.ts';

const AddPictureDialog = lazyPart(() => import('./add-picture-dialog.tsx'), 'AddPictureDialog');
const AltDialog = lazyPart(() => import('./alt-dialog.tsx'), 'AltDialog');

const { maxObjects, sizes } = buckets.gallery;

/** Lets a coach add, describe and remove the pictures on their public page. */
export function GalleryForm({ ownerId }: { ownerId: string }) {
  const client = useQueryClient();
  const query = useApi(storageApi.listGallery, {});
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const describing = useDialogItem<GalleryPicture>();
  const removing = useDialogItem<GalleryPicture>();
  const refresh = () => invalidate(client, [storageApi.listGallery]);
  const remove = useMutation<void, AppError, GalleryPicture>({
    mutationFn: async ({ path }) => {
      await removeFile('gallery', path);
      await refresh();
    },
    onSuccess: () => {
      removing.close();
      toastSuccess('Picture removed');
    },
    onError: (error) => toastError(error.message),
  });
  const choose = (file: File) =>
    decodePicture(file).then(setChosen, (error: AppError) => toastError(error.message));
  const closeChosen = () => {
    chosen?.close();
    setChosen(null);
  };
  return (
    <QueryView query={query} failure="Failed to load your pictures" skeleton={<GallerySkeleton />}>
      {({ pictures }) => (
        <>
          {pictures.length > 0 && (
            <ul aria-label="Your pictures" className="mb-5 grid grid-cols-2 gap-4 sm:grid-cols-3">
              {pictures.map((picture) => (
                <li key={picture.pictureId} className="flex flex-col">
                  <span className="relative block">
                    <img
                      src={`${picture.url}&size=400`}
                      srcSet={srcSetOf(picture, sizes)}
                      sizes="(min-width: 640px) 14rem, 45vw"
                      width={picture.width}
                      height={picture.height}
                      alt={picture.alt}
                      loading="lazy"
                      decoding="async"
                      className="aspect-[4/3] w-full rounded-lg border bg-muted object-cover"
                    />
                    {picture.isHidden && (
                      <Badge tone="warning" className="absolute top-2 left-2">
                        Hidden
                      </Badge>
                    )}
                  </span>
                  <p className="mt-2 line-clamp-2 text-sm break-words text-muted-foreground">
                    {picture.isHidden
                      ? 'Reported. An admin will decide whether it can be shown again.'
                      : picture.alt || 'No description'}
                  </p>
                  <span className="mt-1 flex flex-wrap gap-x-4 text-sm">
                    <Button
                      variant="link"
                      size="sm"
                      onClick={() => describing.open(picture)}
                      aria-label={`Describe: ${picture.alt || 'picture without a description'}`}
                    >
                      Describe
                    </Button>
                    {!picture.isHidden && (
                      <Button
                        variant="link"
                        size="sm"
                        onClick={() => removing.open(picture)}
                        aria-label={`Remove: ${picture.alt || 'picture without a description'}`}
                      >
                        Remove
                      </Button>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {pictures.length < maxObjects ? (
            <PictureButton variant="secondary" onChoose={choose}>
              Add a picture
            </PictureButton>
          ) : (
            <p className="text-sm text-muted-foreground">
              You have {maxObjects} pictures, which is the limit. Remove one to add another.
            </p>
          )}
          <Suspense fallback={null}>
            {chosen && (
              <AddPictureDialog picture={chosen} ownerId={ownerId} onAdded={refresh} onClose={closeChosen} />
            )}
            {describing.item && (
              <AltDialog
                key={describing.openings}
                picture={describing.item}
                isOpen={describing.isOpen}
                onClose={describing.close}
              />
            )}
          </Suspense>
          <RemovePictureDialog
            isOpen={removing.isOpen}
            onClose={removing.close}
            isPending={remove.isPending}
            onConfirm={() => removing.item && remove.mutate(removing.item)}
          >
            We'll delete the picture. It will disappear from your public profile immediately.
          </RemovePictureDialog>
        </>
      )}
    </QueryView>
  );
}

function GallerySkeleton() {
  return (
    <Loading label="Loading your pictures..." className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      {['first', 'second', 'third'].map((name) => (
        <Skeleton key={name} className="aspect-[4/3] h-auto w-full rounded-lg" />
      ))}
    </Loading>
  );
}
