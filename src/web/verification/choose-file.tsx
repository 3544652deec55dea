import FileText from 'lucide-react/icons/file-text';
import { useRef } from 'react';
import { pictureTypes, uploadLimits } from '#domain/storage/buckets.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';

const types = `application/pdf,${pictureTypes}`;
export const maxMegabytes = uploadLimits.maxBytes / 1024 / 1024;

const sizeOf = ({ size }: File) =>
  size < 1024 * 1024 ? `${Math.max(1, Math.round(size / 1024))} kB` : `${(size / 1024 / 1024).toFixed(1)} MB`;

type ChooseFileProps = {
  file: File | null;
  error: string | undefined;
  onChoose: (file: File) => void;
};

/** Chooses the file of a document: a PDF or a picture. */
export function ChooseFile({ file, error, onChoose }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <FormField label="File" error={error} hint={`A picture, or a PDF of up to ${maxMegabytes} MB.`} isGroup>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="button" variant="secondary" onClick={() => input.current?.click()}>
          {file ? 'Choose another file' : 'Choose a file'}
        </Button>
        {file && (
          <span className="flex min-w-0 items-center gap-2 text-sm">
            <FileText aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span className="wrap-anywhere">{file.name}</span>
            <span className="whitespace-nowrap text-muted-foreground tabular-nums">{sizeOf(file)}</span>
          </span>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={types}
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          // Without this, choosing the same file again would not fire a change event.
          currentTarget.value = '';
          if (chosen) onChoose(chosen);
        }}
      />
    </FormField>
  );
}
