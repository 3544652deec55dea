import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { consentSentence, maxAltLength } from '#domain/storage/buckets.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { paintWhole, shrinkPicture } from './picture-canvas.ts';
import { uploadFile } from './storage-client.ts';

/** The maximum length of the uploaded picture's longer side, in pixels. The server stores at most 1600. */
const uploadPixels = 2_400;
const previewPixels = 640;

type AddPictureDialogProps = {
  picture: ImageBitmap;
  ownerId: string;
  onAdded: () => Promise<void>;
  onClose: () => void;
};

/** Asks what a gallery picture shows and whether everyone in it has agreed, then uploads the picture. */
export function AddPictureDialog({ picture, ownerId, onAdded, onClose }: AddPictureDialogProps) {
  // Every attempt uses the same name; otherwise a retry after a lost response would add the picture twice.
  const [name] = useState(() => crypto.randomUUID());
  const [alt, setAlt] = useState('');
  const [isConsentConfirmed, setIsConsentConfirmed] = useState(false);
  const scale = Math.min(1, previewPixels / Math.max(picture.width, picture.height));
  const add = useMutation<void, AppError>({
    mutationFn: async () => {
      const file = await shrinkPicture(picture, uploadPixels);
      await uploadFile('gallery', `${ownerId}/${name}`, file, { alt, isConsentConfirmed });
      await onAdded();
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Add a picture"
      submit="Add picture"
      pendingLabel="Adding..."
      isPending={add.isPending}
      isDisabled={!isConsentConfirmed}
      refusal={add.error}
      onSubmit={() => add.mutate()}
    >
      <canvas
        ref={(canvas) => {
          if (canvas) paintWhole(canvas, picture);
        }}
        width={Math.max(1, Math.round(picture.width * scale))}
        height={Math.max(1, Math.round(picture.height * scale))}
        aria-hidden
        className="mx-auto max-h-64 max-w-full rounded-md border"
      />
      <FormField
        label="What does the picture show?"
        isOptional
        hint="Read out to people who can't see the picture. Don't name anyone."
      >
        <Input
          value={alt}
          maxLength={maxAltLength}
          onChange={({ currentTarget }) => setAlt(currentTarget.value)}
        />
      </FormField>
      <CheckboxField
        label={consentSentence}
        hint="For a child, a parent or guardian must have agreed."
        checked={isConsentConfirmed}
        onChange={({ currentTarget }) => setIsConsentConfirmed(currentTarget.checked)}
      />
    </FormDialog>
  );
}
