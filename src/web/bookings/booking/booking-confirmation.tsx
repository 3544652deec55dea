import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { paymentsApi, type SavedCard } from '#domain/payments/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { openSlotLists, useMarkSlotFull } from '#web/catalogue/open-slots.ts';
import { CardExpiryWarning, SavedCardLine } from '#web/payments/saved-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { CancellationTerms } from '../cancellation-terms.tsx';
import { LessonLines } from '../lesson-lines.tsx';
import { bookingObstacle } from '../slot-facts.tsx';
import type { BookingProgress, useBookLesson } from './use-book-lesson.ts';
import { useHeldSlots } from './use-held-slots.ts';

type BookingConfirmationProps = {
  slot: OpenSlot;
  progress: Extract<BookingProgress, { step: 'idle' | 'working' | 'failed' }>;
  book: ReturnType<typeof useBookLesson>['book'];
  onClose: () => void;
};

/** After these errors, the dialog no longer offers to confirm the booking. */
const finalCodes: ErrorCode[] = ['slot_full', 'slot_unavailable', 'not_found', 'already_booked', 'overlap'];

/** These errors mean that the dialog's details of the lesson are outdated. */
const changedCodes: ErrorCode[] = ['time_changed', 'location_changed', 'slot_unavailable'];

/** The confirmation before paying: the lesson, its price, the card, the terms, and the button with the amount. */
export function BookingConfirmation({ slot, progress, book, onClose }: BookingConfirmationProps) {
  const client = useQueryClient();
  const markFull = useMarkSlotFull();
  const payment = useApi(paymentsApi.getPaymentMethod, {});
  const held = useHeldSlots();
  const [newPriceCents, setNewPriceCents] = useState<number | null>(null);
  const [seen] = useState(slot);
  const [isLookingAgain, setIsLookingAgain] = useState(false);
  if (payment.isPending || held.isPending) return <Spinner className="py-16" />;

  const priceCents = newPriceCents ?? slot.priceCents;
  const card = payment.data?.card ?? null;
  const own = held.bySlot.get(slot.slotId);
  if (own?.status === 'booked' && progress.step === 'idle') {
    return <AlreadyBooked slot={slot} bookingId={own.bookingId} onClose={onClose} />;
  }
  const isWorking = progress.step === 'working';
  const failure = progress.step === 'failed' ? progress : null;
  // A seat that the customer holds counts as taken, but the customer can still pay for it.
  const obstacle = progress.step !== 'idle' || own?.status === 'pending' ? null : bookingObstacle(slot);
  const isOver = obstacle !== null || (failure !== null && finalCodes.includes(failure.code));
  // A background refetch may have changed the lesson's time or location since the dialog opened.
  const isMoved = seen.startTime !== slot.startTime || seen.endTime !== slot.endTime;
  const isElsewhere = !isSameLocation(seen.location, slot.location);
  const needsCard = !card && priceCents > 0 && payment.isSuccess && own?.status !== 'pending';
  const bookingId = failure?.bookingId;

  const confirm = async () => {
    const ended = await book({
      slotId: slot.slotId,
      startTime: slot.startTime,
      location: slot.location,
      baseAmountCents: priceCents,
    });
    const changed = [
      slotsApi.getOpenSlot,
      slotsApi.readAvailability,
      bookingsApi.listMine,
      bookingsApi.getMyStats,
      bookingsApi.listHeldSlots,
    ];
    if (ended.step === 'booked') {
      toastSuccess('Booking Successful!', 'Your lesson has been booked successfully');
      await invalidate(client, changed);
    } else if (ended.step === 'waiting') {
      await invalidate(client, changed);
    } else if (ended.step === 'failed') {
      toastError(ended.message, 'Booking Failed');
      if (ended.code === 'slot_full') markFull(slot);
      if (ended.newPriceCents !== undefined) setNewPriceCents(ended.newPriceCents);
      if (changedCodes.includes(ended.code)) {
        // Until the refetch ends, the details in the dialog are older than the message.
        setIsLookingAgain(true);
        await invalidate(client, [...changed, openSlotLists]);
        setIsLookingAgain(false);
      }
      if (ended.code === 'no_card') await invalidate(client, [paymentsApi.getPaymentMethod]);
    }
  };
  return (
    <>
      <DialogBody className="space-y-5">
        <LessonLines slot={slot} isBooked={own !== undefined} />
        <div className="space-y-3 border-t pt-4">
          <div className="flex items-baseline justify-between">
            <span className="text-sm text-muted-foreground">Total price</span>
            <Money cents={priceCents} className="text-2xl font-semibold" />
          </div>
          {priceCents > 0 && <CardLine card={card} isUnread={payment.isError} isChangeable={!isWorking} />}
          {priceCents > 0 && card && <CardExpiryWarning card={card} />}
        </div>
        <CancellationTerms slot={slot} priceCents={priceCents} />
        <div role="alert" className="empty:hidden">
          {failure && (
            <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
              {failure.message}
            </p>
          )}
          {obstacle && <p className="rounded-md bg-muted px-3 py-2 text-sm">{obstacle}</p>}
          {(isMoved || isElsewhere) && !failure && !obstacle && (
            <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">
              {isMoved &&
                `The coach has just moved this lesson. Previous time: ${formatLessonTime(seen.startTime, seen.endTime, Date.now())}. `}
              {isElsewhere &&
                `The coach has just changed the location of this lesson. Previous location: ${formatLocation(seen.location)}.`}
            </p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        {isOver && bookingId && (
          <Button asChild variant="secondary">
            <SeeBooking bookingId={bookingId} />
          </Button>
        )}
        {isOver ? (
          <Button onClick={onClose}>Find another lesson</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={isWorking} onClick={onClose}>
              Not now
            </Button>
            {needsCard ? (
              <Button asChild>
                <CardLink>Add a card</CardLink>
              </Button>
            ) : (
              <Button
                onClick={() => void confirm()}
                isLoading={isWorking || isLookingAgain}
                loadingText={isWorking ? progress.message : 'Checking again...'}
              >
                Confirm Booking{priceCents > 0 && ` · ${formatPounds(priceCents)}`}
              </Button>
            )}
          </>
        )}
      </DialogFooter>
    </>
  );
}

/** Shown instead of the price and card if the customer has already booked this lesson. */
function AlreadyBooked({
  slot,
  bookingId,
  onClose,
}: {
  slot: OpenSlot;
  bookingId: string;
  onClose: () => void;
}) {
  return (
    <>
      <DialogBody className="space-y-5">
        <p role="status" className="rounded-md bg-muted px-3 py-2 text-sm font-medium">
          You've already booked this lesson.
        </p>
        <LessonLines slot={slot} isBooked />
        <AddToCalendar source={{ bookingId }} lesson={slot} />
      </DialogBody>
      <DialogFooter>
        <Button asChild variant="secondary">
          <SeeBooking bookingId={bookingId} />
        </Button>
        <Button onClick={onClose}>Find another lesson</Button>
      </DialogFooter>
    </>
  );
}

function SeeBooking({ bookingId, ...props }: { bookingId: string }) {
  return (
    <Link to="/customer/bookings/$bookingId" params={{ bookingId }} replace {...props}>
      See your booking
    </Link>
  );
}

type CardLineProps = { card: SavedCard | null; isUnread: boolean; isChangeable: boolean };

function CardLine({ card, isUnread, isChangeable }: CardLineProps) {
  if (!card) {
    return (
      <p className="text-sm text-muted-foreground">
        {isUnread
          ? "We couldn't load your saved card."
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

/** A link to the card form, which returns to this booking. */
function CardLink(props: { className?: string; children: React.ReactNode }) {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return <Link to="/customer/payment-methods" search={{ next: here }} {...props} />;
}
