import Ellipsis from 'lucide-react/icons/ellipsis';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import type { FileLayout } from '#domain/payouts/payruns.ts';
import { shortReference } from '#domain/reference.ts';
import { useApiMutation } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { saveFile } from '#web/ui/save-file.ts';

type PayrunActionsProps = {
  payrun: Payrun;
  /** Only another admin can download its file and mark it as paid. */
  needsAnother: boolean;
  onMarkPaid: () => void;
  onCancel: () => void;
};

/** The actions for a payrun: its file in either layout, marking it as paid, and cancelling it while it is pending. */
export function PayrunActions({ payrun, needsAnother, onMarkPaid, onCancel }: PayrunActionsProps) {
  const { payrunId, status } = payrun;
  const name = shortReference(payrunId);
  const isPending = status === 'pending';
  const file = useApiMutation(payoutsApi.getPayrunCsvRows, { invalidates: [payoutsApi.listPayruns] });
  const download = (layout: FileLayout) =>
    file.mutate(
      { payrunId, layout },
      {
        onSuccess: ({ fileName, csv }) => {
          saveFile({ name: fileName, type: 'text/csv', text: csv });
          toastSuccess('CSV downloaded', fileName);
        },
        onError: (error) =>
          error.code === 'not_found' ? toastError(error.message, 'No data') : toastError(error.message),
      },
    );
  if (status === 'cancelled') return null;
  if (needsAnother && !isPending) return null;
  if (needsAnother) {
    return (
      <span className="flex grow justify-end">
        <Button size="sm" variant="secondary" onClick={onCancel} aria-label={`Cancel payrun ${name}`}>
          Cancel payrun
        </Button>
      </span>
    );
  }
  return (
    <span className="flex grow justify-end gap-2">
      {isPending && (
        <Button size="sm" onClick={onMarkPaid} aria-label={`Mark Paid: payrun ${name}`}>
          Mark Paid
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        onClick={() => download('standard')}
        isLoading={file.isPending}
        aria-label={`Download CSV: payrun ${name}`}
      >
        Download CSV
      </Button>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="sm" variant="secondary" aria-label={`More for payrun ${name}`}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => download('revolut')}>CSV for Revolut Business</DropdownMenuItem>
          {isPending && <DropdownMenuItem onSelect={onCancel}>Cancel payrun</DropdownMenuItem>}
        </DropdownMenuContent>
      </DropdownMenu>
    </span>
  );
}
