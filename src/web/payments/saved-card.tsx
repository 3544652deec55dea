import CreditCard from 'lucide-react/icons/credit-card';
import { describeCard } from '#domain/card-labels.ts';
import { describeExpiryWarning, formatExpiry } from '#domain/payments/card-expiry.ts';
import type { SavedCard } from '#domain/payments/contract.ts';

/** A saved card: its brand, its last digits and, if known, its expiry. */
export function SavedCardLine({ card }: { card: SavedCard }) {
  const expiry = formatExpiry(card);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 tabular-nums">
      <CreditCard aria-hidden className="size-4 text-muted-foreground" />
      {describeCard(card)}
      {expiry && <span className="text-muted-foreground">expires {expiry}</span>}
    </span>
  );
}

/** Warns that a card has expired or expires within a month; otherwise renders nothing. */
export function CardExpiryWarning({ card }: { card: SavedCard }) {
  const warning = describeExpiryWarning(card, Date.now());
  return (
    warning && (
      <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">
        {warning}
      </p>
    )
  );
}
