import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SavedCard } from '#domain/payments/contract.ts';
import { SavedCardLine } from '#web/payments/saved-card.tsx';

type BookingCardLineProps = { card: SavedCard | null; isUnread: boolean; isChangeable: boolean };

/** The card that pays for a booking, with a link to change it. */
export function BookingCardLine({ card, isUnread, isChangeable }: BookingCardLineProps) {
  if (!card) {
    return (
      <p className="text-sm text-muted-foreground">
        {isUnread
          ? "We couldn't load your saved card. Reload the page to try again."
          : "You have no saved card. Add one and we'll bring you back here."}
      </p>
    );
  }
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 text-sm touch:min-h-11">
      <SavedCardLine card={card} />
      {isChangeable && (
        <CardLink className="-mr-2 inline-flex min-h-10 items-center px-2 text-primary underline underline-offset-4 touch:min-h-11">
          Change<span className="sr-only"> card</span>
        </CardLink>
      )}
    </div>
  );
}

/** A link to the card form, which then returns to the current page. */
export function CardLink(props: { className?: string; children: ReactNode }) {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return <Link to="/customer/payment-methods" search={{ next: here }} {...props} />;
}
