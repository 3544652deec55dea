import { adminApi } from '#domain/admin/contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { useApiMutation } from '#web/app/api/api.ts';
import { ExportButton } from '#web/ui/export-button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { saveFile } from '#web/ui/save-file.ts';

/** Downloads the filtered audit events as CSV. */
export function ExportAudit({ filters }: { filters: InputOf<typeof adminApi.exportAudit> }) {
  const file = useApiMutation(adminApi.exportAudit, { invalidates: [adminApi.listAudit] });
  const download = () =>
    file.mutate(filters, {
      onSuccess: ({ fileName, csv, entryCount, isCut }) => {
        saveFile({ name: fileName, type: 'text/csv', text: csv });
        toastSuccess(
          'CSV downloaded',
          isCut
            ? `The newest ${entryCount} entries. Choose earlier dates for the older ones.`
            : `${fileName}: ${entryCount === 1 ? '1 entry' : `${entryCount} entries`}`,
        );
      },
      onError: (error) => toastError(error.message),
    });
  return <ExportButton isPending={file.isPending} onExport={download} />;
}
