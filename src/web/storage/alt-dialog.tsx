import { useState } from 'react';
import { maxAltLength } from '#domain/storage/buckets.ts';
import { type GalleryPicture, storageApi } from '#domain/storage/contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';

type AltDialogProps = { picture: GalleryPicture; isOpen: boolean; onClose: () => void };

/** Changes the description of a gallery picture. */
export function AltDialog({ picture, isOpen, onClose }: AltDialogProps) {
  const [alt, setAlt] = useState(picture.alt);
  const save = useApiMutation(storageApi.describePicture, { invalidates: [storageApi.listGallery] });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Describe the picture"
      submit="Save description"
      pendingLabel="Saving..."
      isPending={save.isPending}
      refusal={save.error}
      onSubmit={() => save.mutate({ pictureId: picture.pictureId, alt }, { onSuccess: onClose })}
    >
      <FormField
        label="What does the picture show?"
        isOptional
        error={save.error?.fields?.alt}
        hint="Read out to people who can't see the picture. Don't name anyone."
      >
        <Input
          value={alt}
          maxLength={maxAltLength}
          onChange={({ currentTarget }) => setAlt(currentTarget.value)}
        />
      </FormField>
    </FormDialog>
  );
}
