import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatPounds } from '#domain/money.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { openSlotLists } from '#web/catalogue/open-slots.ts';
import { usePaymentAuthentication } from '#web/payments/payment-authentication.tsx';
import { CardExpiryWarning } from '#web/payments/saved-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { BookingCardLine, CardLink } from '../booking/booking-card-line.tsx';
import { findRequirement } from '../booking/booking-requirement.tsx';
import { changedByBooking } from '../booking/changed-by-booking.ts';
import { useBookLesson } from '../booking/use-book-lesson.ts';
import { isSameItem, useBasket } from './basket.ts';
import { countSeats } from './basket-bar.tsx';
import { BasketRow } from './basket-row.tsx';
import { CheckoutDone } from './checkout-done.tsx';
import { type BasketSeat, type LostItem, useBasketSeats } from './use-basket-seats.ts';

/** The basket: up to six places that are booked together with one payment and one 3-D Secure check. */
export default function BasketScreen() {
  const client = useQueryClient();
  const basket = useBasket();
  const { seats, lost, isPending } = useBasketSeats();
  const payment = useApi(paymentsApi.getPaymentMethod, {});
  const { authenticate, dialog } = usePaymentAuthentication();
  const { progress, book, reset } = useBookLesson(authenticate);
  const [booked, setBooked] = useState<BasketSeat[]>([]);
  if (progress.step === 'booked' || progress.step === 'waiting') {
    return <CheckoutDone progress={progress} seats={booked} />;
  }
  if (basket.items.length === 0) {
    return (
      <EmptyState
        titleAs="h1"
        title="Your basket is empty"
        action={
          <Button asChild>
            <Link to="/customer/discover">Find a lesson</Link>
          </Button>
        }
      >
        Add lessons for yourself and your family, then book them with one payment.
      </EmptyState>
    );
  }
  const isWorking = progress.step === 'working';
  const failure = progress.step === 'failed' ? progress : null;
  const totalCents = seats.reduce((sum, { slot }) => sum + slot.priceCents, 0);
  const card = payment.data?.card ?? null;
  const needsCard = !card && totalCents > 0 && payment.isSuccess;
  const isBlocked =
    lost.length > 0 ||
    seats.some(({ problem, participant, slot }) => problem ?? findRequirement(participant, slot, false));

  const remove = (item: { slotId: string; participantId: string }) => {
    reset();
    basket.remove([item]);
  };

  const confirm = async () => {
    setBooked(seats);
    const ended = await book(
      seats.map(({ slotId, participantId, slot: { startTime, location, priceCents } }) => ({
        ...{ slotId, participantId, startTime, location, baseAmountCents: priceCents },
      })),
    );
    if (ended.step === 'booked') {
      toastSuccess('Booking Successful!', `${countSeats(seats.length)} booked.`);
      basket.remove(seats);
      await invalidate(client, changedByBooking);
    } else if (ended.step === 'waiting') {
      await invalidate(client, changedByBooking);
    } else if (ended.step === 'failed') {
      toastError(ended.message, 'Booking Failed');
      const more = [openSlotLists, paymentsApi.getPaymentMethod, { operationId: 'list_participants' }];
      await invalidate(client, [...changedByBooking, ...more]);
    }
  };

  return (
    <div className="max-w-2xl">
      <h1>Your basket</h1>
      <p className="mt-2 text-muted-foreground">
        We book all places together with one payment, or none of them. They aren't held for you until you
        confirm.
      </p>
      {isPending ? (
        <Loading className="mt-6 space-y-4">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-24 w-full" />
        </Loading>
      ) : (
        <ul className="mt-6">
          {seats.map((seat) => (
            <BasketRow
              key={`${seat.slotId} ${seat.participantId}`}
              seat={seat}
              isRefused={
                failure?.slotId !== undefined &&
                isSameItem(seat, { slotId: failure.slotId, participantId: failure.participantId ?? '' })
              }
              canAsk={failure?.canAsk === true}
              isBusy={isWorking}
              onRemove={() => remove(seat)}
            />
          ))}
          {lost.map((item) => (
            <LostRow key={`${item.slotId} ${item.participantId}`} item={item} onRemove={() => remove(item)} />
          ))}
        </ul>
      )}
      <div className="mt-2 space-y-3 border-t pt-5">
        <div className="flex items-baseline justify-between">
          <span className="text-sm text-muted-foreground">Total price for {countSeats(seats.length)}</span>
          <Money cents={totalCents} className="text-2xl font-semibold" />
        </div>
        {totalCents > 0 && !payment.isPending && (
          <BookingCardLine card={card} isUnread={payment.isError} isChangeable={!isWorking} />
        )}
        {totalCents > 0 && card && <CardExpiryWarning card={card} />}
        <div role="alert" className="empty:hidden">
          {failure && (
            <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
              {failure.message}
            </p>
          )}
        </div>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button asChild variant="secondary">
            <Link to="/customer/discover">Add another lesson</Link>
          </Button>
          {needsCard ? (
            <Button asChild>
              <CardLink>Add a card</CardLink>
            </Button>
          ) : (
            <Button
              disabled={isPending || isBlocked}
              isLoading={isWorking}
              loadingText={isWorking ? progress.message : ''}
              onClick={() => void confirm()}
            >
              Confirm Booking{totalCents > 0 && ` · ${formatPounds(totalCents)}`}
            </Button>
          )}
        </div>
      </div>
      {dialog}
    </div>
  );
}

function LostRow({ item, onRemove }: { item: LostItem; onRemove: () => void }) {
  return (
    <li className="flex items-center justify-between gap-4 border-t py-5 text-sm first:border-t-0">
      <p>{item.message}</p>
      <Button variant="ghost" size="sm" onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}
