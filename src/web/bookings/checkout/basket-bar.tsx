import { Link } from '@tanstack/react-router';
import { Button } from '#web/ui/button.tsx';
import { StickyBar } from '#web/ui/page/sticky-bar.tsx';
import { useBasket } from './basket.ts';

/**
 * A bar that says how many places are in the basket and links to it; renders nothing while the basket is
 * empty.
 */
export function BasketBar() {
  const { items } = useBasket();
  if (items.length === 0) return null;
  return (
    <StickyBar>
      <p role="status" className="text-sm font-medium">
        {countSeats(items.length)} in your basket
      </p>
      <Button asChild className="max-md:grow-0">
        <Link to="/customer/basket">Go to basket</Link>
      </Button>
    </StickyBar>
  );
}

export const countSeats = (count: number): string => `${count} ${count === 1 ? 'place' : 'places'}`;
