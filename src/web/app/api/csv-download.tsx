import Download from 'lucide-react/icons/download';
import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { saveFile } from '#web/ui/save-file.ts';
import type { Read } from './api.ts';
import { useApiMutation } from './api-mutation.ts';

/** An endpoint whose output contains the `csvFile` fields of domain/fields.ts. */
type CsvEndpoint = Endpoint<z.ZodType, z.ZodType<{ fileName: string; csv: string }>>;

type CsvOptions<E extends CsvEndpoint> = {
  /** The endpoints to refetch after a download, such as a list that records the download. */
  invalidates?: readonly Read[];
  /** The toast's text below "CSV downloaded"; by default the file's name. */
  describe?: (file: OutputOf<E>) => string;
};

/**
 * Downloads the CSV file that an endpoint returns and reports the download or its refusal in a toast; `not_found` means
 * that there is nothing to export. Use {@link ExportButton} unless the button needs another style.
 */
export function useCsvDownload<E extends CsvEndpoint>(
  endpoint: E,
  { invalidates, describe = ({ fileName }) => fileName }: CsvOptions<E> = {},
): { download: (input: InputOf<E>) => void; isPending: boolean } {
  const { mutate, isPending } = useApiMutation(endpoint, invalidates && { invalidates });
  return {
    isPending,
    download: (input) =>
      mutate(input, {
        onSuccess: (file) => {
          saveFile({ name: file.fileName, type: 'text/csv', text: file.csv });
          toastSuccess('CSV downloaded', describe(file));
        },
        onError: ({ code, message }) => toastError(message, code === 'not_found' ? 'No data' : undefined),
      }),
  };
}

type ExportButtonProps<E extends CsvEndpoint> = CsvOptions<E> & { endpoint: E; input: InputOf<E> };

/** The button "Export CSV" for a section's `actions`: downloads the section's list for `input`. */
export function ExportButton<E extends CsvEndpoint>({ endpoint, input, ...options }: ExportButtonProps<E>) {
  const { download, isPending } = useCsvDownload(endpoint, options);
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => download(input)}
      isLoading={isPending}
      loadingText="Preparing..."
    >
      <Download aria-hidden />
      Export CSV
    </Button>
  );
}
