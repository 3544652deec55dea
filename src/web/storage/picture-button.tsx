import { type ReactNode, useRef } from 'react';
import { pictureTypes } from '#domain/storage/buckets.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';

type PictureButtonProps = Omit<ButtonProps, 'onClick'> & {
  onChoose: (file: File) => void;
  children: ReactNode;
};

/** A button that opens the file picker for one picture. */
export function PictureButton({ onChoose, children, ...props }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...props} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={pictureTypes}
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Without this, choosing the same file again would not fire a change event.
          currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
