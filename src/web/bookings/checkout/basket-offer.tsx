import ShoppingBasket from 'lucide-react/icons/shopping-basket';
import { maxBookingsPerPayment } from '#domain/bookings/rules.ts';
import { Button } from '#web/ui/button.tsx';
import { type BasketItem, isSameItem, useBasket } from './basket.ts';
import { countSeats } from './basket-bar.tsx';

type BasketOfferProps = {
  /** The items to add: the dialog's lesson, once for each chosen person. */
  items: BasketItem[];
  /** Called if nobody has been chosen. */
  onNobody: () => void;
  isBusy: boolean;
  onAdded: () => void;
};

/** Offers to add a lesson to the basket, to book it together with other lessons. */
export function BasketOffer({ items, onNobody, isBusy, onAdded }: BasketOfferProps) {
  const basket = useBasket();
  const added = items.filter((item) => !basket.items.some((one) => isSameItem(one, item)));
  const isThere = items.length > 0 && added.length === 0;
  const isTooMany = basket.items.length + added.length > maxBookingsPerPayment;
  function add() {
    if (items.length === 0) return onNobody();
    basket.add(added);
    onAdded();
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-muted px-3 py-2 text-sm">
      <p className="text-muted-foreground">
        {isThere
          ? 'This lesson is already in your basket.'
          : isTooMany
            ? `One payment can book up to ${maxBookingsPerPayment} places. Your basket has ${basket.items.length}.`
            : basket.items.length > 0
              ? `${countSeats(basket.items.length)} in your basket.`
              : 'Booking more lessons? Pay for them together.'}
      </p>
      {!isThere && !isTooMany && (
        <Button variant="secondary" size="sm" disabled={isBusy} onClick={add}>
          <ShoppingBasket aria-hidden />
          Add to basket
        </Button>
      )}
    </div>
  );
}
