import Ellipsis from 'lucide-react/icons/ellipsis';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { useCsvDownload } from '#web/app/api/csv-download.tsx';
import { Button } from '#web/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';

type PayrunActionsProps = {
  payrun: Payrun;
  /** True if only another admin can download the payrun's file and mark the payrun as paid. */
  needsAnother: boolean;
  onMarkPaid: () => void;
  onCancel: () => void;
};

/** The actions for a payrun: download its file in either layout, mark it as paid, or cancel it while it is pending. */
export function PayrunActions({ payrun, needsAnother, onMarkPaid, onCancel }: PayrunActionsProps) {
  const { payrunId, status } = payrun;
  const name = shortReference(payrunId);
  const isPending = status === 'pending';
  const file = useCsvDownload(payoutsApi.getPayrunCsvRows, {
    invalidates: [payoutsApi.listPayruns, payrunApi.getPayrun],
  });
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
        onClick={() => file.download({ payrunId })}
        isLoading={file.isPending}
        aria-label={`Download CSV: payrun ${name}`}
      >
        Download CSV
      </Button>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="sm" variant="secondary" aria-label={`More actions for payrun ${name}`}>
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => file.download({ payrunId, layout: 'revolut' })}>
            CSV for Revolut Business
          </DropdownMenuItem>
          {isPending && <DropdownMenuItem onSelect={onCancel}>Cancel payrun</DropdownMenuItem>}
        </DropdownMenuContent>
      </DropdownMenu>
    </span>
  );
}
