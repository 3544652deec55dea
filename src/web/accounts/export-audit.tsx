import Download from 'lucide-react/icons/download';
import { accountsApi } from '#domain/accounts/contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { useApiMutation } from '#web/app/api.ts';
import { saveFile } from '#web/app/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';

/** Downloads what the filters of the audit log show, as CSV. */
export function ExportAudit({ filters }: { filters: InputOf<typeof accountsApi.exportAudit> }) {
  const file = useApiMutation(accountsApi.exportAudit, { invalidates: [accountsApi.listAudit] });
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
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={download}
      isLoading={file.isPending}
      loadingText="Preparing..."
    >
      <Download aria-hidden />
      Export CSV
    </Button>
  );
}
