import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { openSlotLists, useMarkSlotFull } from '#web/catalogue/open-slots.ts';
import { CardExpiryWarning } from '#web/payments/saved-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { CancellationTerms } from '../cancellation-terms.tsx';
import { LessonLines } from '../lesson-lines.tsx';
import { bookingObstacle } from '../slot-facts.tsx';
import { AlreadyBooked, SeeBooking } from './already-booked.tsx';
import { useAskToJoin } from './ask-to-join.ts';
import { BookingCardLine, CardLink } from './booking-card-line.tsx';
import { findRequirement, RequirementButton } from './booking-requirement.tsx';
import type { BookingProgress, useBookLesson } from './use-book-lesson.ts';
import { useHeldSlots } from './use-held-slots.ts';
import { heldBy, isBooked, WhoIsItFor } from './who-is-it-for.tsx';

type BookingConfirmationProps = Pick<ReturnType<typeof useBookLesson>, 'book' | 'reset'> & {
  slot: OpenSlot;
  /** The customer first, then the dependants; empty if they couldn't be read. */
  participants: Participant[];
  chosenId: string | null;
  onChoose: (participantId: string) => void;
  progress: Extract<BookingProgress, { step: 'idle' | 'working' | 'failed' }>;
  onClose: () => void;
};

/** After these errors, the dialog no longer offers to confirm the booking. */
const finalCodes: ErrorCode[] = ['slot_full', 'slot_unavailable', 'not_found', 'already_booked', 'overlap'];

/** These errors mean that the dialog's details of the lesson are outdated. */
const changedCodes: ErrorCode[] = ['time_changed', 'location_changed', 'slot_unavailable'];

/** The confirmation before paying: the lesson, for whom, its price, the card, the terms, the button with the amount. */
export function BookingConfirmation(props: BookingConfirmationProps) {
  const { slot, participants, chosenId, onChoose, progress, book, reset, onClose } = props;
  const client = useQueryClient();
  const markFull = useMarkSlotFull();
  const payment = useApi(paymentsApi.getPaymentMethod, {});
  const held = useHeldSlots();
  const asking = useAskToJoin(slot);
  const [newPriceCents, setNewPriceCents] = useState<number | null>(null);
  const [seen] = useState(slot);
  const [isLookingAgain, setIsLookingAgain] = useState(false);
  const [isUnchosen, setIsUnchosen] = useState(false);
  // On a phone, the outcome of an attempt may be below the part of the dialog that is in sight, behind its buttons.
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (progress.step === 'failed' || asking.answer) notices.current?.scrollIntoView({ block: 'nearest' });
  }, [progress, asking.answer]);
  if (payment.isPending || held.isPending) return <Spinner className="py-16" />;

  const priceCents = newPriceCents ?? slot.priceCents;
  const card = payment.data?.card ?? null;
  const seats = held.bySlot.get(slot.slotId) ?? [];
  const isFamily = participants.length > 1;
  const free = participants.filter((participant) => !isBooked(participant, seats));
  // Nobody has to choose where there is no choice. A read that failed leaves the customer alone.
  const chosen =
    participants.find(({ participantId }) => participantId === chosenId) ??
    (free.length === 1 ? free[0] : undefined);
  const own = chosen ? heldBy(chosen, seats) : isFamily ? undefined : seats[0];
  const booked = seats.find(({ status }) => status === 'booked');
  const isWorking = progress.step === 'working';
  const failure = progress.step === 'failed' ? progress : null;
  // A seat that the customer holds counts as taken, but the customer can still pay for it.
  const isPending = own?.status === 'pending';
  const obstacle = progress.step !== 'idle' || isPending ? null : bookingObstacle(slot);
  const isDone = isFamily ? free.length === 0 || obstacle !== null : own?.status === 'booked';
  if (booked && isDone && progress.step === 'idle') {
    const isForAll = isFamily && free.length === 0;
    return <AlreadyBooked slot={slot} bookingId={booked.bookingId} isForAll={isForAll} onClose={onClose} />;
  }
  const isOver = obstacle !== null || (failure !== null && finalCodes.includes(failure.code));
  // A background refetch may have changed the lesson's time or location since the dialog opened.
  const isMoved = seen.startTime !== slot.startTime || seen.endTime !== slot.endTime;
  const isElsewhere = !isSameLocation(seen.location, slot.location);
  const needsCard = !card && priceCents > 0 && payment.isSuccess && !isPending;
  const requirement = chosen && !isPending && !obstacle ? findRequirement(chosen, slot, !isFamily) : null;
  const bookingId = failure?.bookingId;

  const choose = (participantId: string) => {
    setIsUnchosen(false);
    asking.reset();
    reset();
    onChoose(participantId);
  };

  const confirm = async () => {
    if (isFamily && !chosen) return setIsUnchosen(true);
    asking.reset();
    if (chosen) onChoose(chosen.participantId);
    const ended = await book({
      slotId: slot.slotId,
      startTime: slot.startTime,
      location: slot.location,
      baseAmountCents: priceCents,
      participantId: chosen?.participantId,
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
      // Another guardian may have changed the care details or the date of birth.
      if (ended.code === 'care_needed' || ended.code === 'age_range')
        await invalidate(client, [{ operationId: 'list_participants' }]);
    }
  };
  return (
    <>
      <DialogBody className="space-y-5">
        <LessonLines slot={slot} isBooked={own !== undefined} />
        {participants.length > 0 && !obstacle && (
          <WhoIsItFor
            slot={slot}
            participants={participants}
            held={seats}
            chosenId={chosen?.participantId ?? null}
            error={isUnchosen ? 'Choose who takes part.' : undefined}
            isBusy={isWorking}
            onChoose={choose}
          />
        )}
        <div className="space-y-3 border-t pt-4">
          <div className="flex items-baseline justify-between">
            <span className="text-sm text-muted-foreground">Total price</span>
            <Money cents={priceCents} className="text-2xl font-semibold" />
          </div>
          {priceCents > 0 && (
            <BookingCardLine card={card} isUnread={payment.isError} isChangeable={!isWorking} />
          )}
          {priceCents > 0 && card && <CardExpiryWarning card={card} />}
        </div>
        <CancellationTerms slot={slot} priceCents={priceCents} />
        <div ref={notices} role="alert" className="scroll-mb-36 space-y-2 empty:hidden">
          {failure && !asking.answer && (
            <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
              {asking.refusal ?? failure.message}
            </p>
          )}
          {asking.answer && <p className="rounded-md bg-muted px-3 py-2 text-sm">{asking.answer}</p>}
          {obstacle && <p className="rounded-md bg-muted px-3 py-2 text-sm">{obstacle}</p>}
          {requirement && !failure && (
            <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">{requirement.message}</p>
          )}
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
        {isOver || asking.answer ? (
          <Button onClick={onClose}>Find another lesson</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={isWorking} onClick={onClose}>
              Not now
            </Button>
            {requirement ? (
              <RequirementButton participant={chosen!} requirement={requirement} onChoose={choose} />
            ) : needsCard ? (
              <Button asChild>
                <CardLink>Add a card</CardLink>
              </Button>
            ) : failure?.canAsk ? (
              <Button
                onClick={() => asking.ask(chosen!)}
                isLoading={asking.isPending}
                loadingText="Asking..."
              >
                Ask the coach
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
