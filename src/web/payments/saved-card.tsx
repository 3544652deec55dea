import CreditCard from 'lucide-react/icons/credit-card';
import type { SavedCard } from '#domain/payments/contract.ts';

const brandNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa ending 4242", the way every screen names a card. */
export function describeCard(card: SavedCard): string {
  const name = brandNames[card.brand] ?? card.brand.charAt(0).toUpperCase() + card.brand.slice(1);
  return `${name} ending ${card.lastFour}`;
}

/** A card on file with its sign. */
export function SavedCardLine({ card }: { card: SavedCard }) {
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      <CreditCard aria-hidden className="size-4 text-muted-foreground" />
      {describeCard(card)}
    </span>
  );
}
