import CreditCard from 'lucide-react/icons/credit-card';
import { describeCard } from '#domain/card-words.ts';
import type { SavedCard } from '#domain/payments/contract.ts';

/** A card on file with its sign. */
export function SavedCardLine({ card }: { card: SavedCard }) {
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      <CreditCard aria-hidden className="size-4 text-muted-foreground" />
      {describeCard(card)}
    </span>
  );
}
