import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { openSlotLists, useMarkSlotFull } from '#web/catalogue/open-slots.ts';
import { CardExpiryWarning } from '#web/payments/saved-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { CancellationTerms } from '../cancellation-terms.tsx';
import { useBasket } from '../checkout/basket.ts';
import { BasketOffer } from '../checkout/basket-offer.tsx';
import { LessonLines } from '../lesson-lines.tsx';
import { bookingObstacle } from '../slot-facts.tsx';
import { AlreadyBooked, SeeBooking } from './already-booked.tsx';
import { useAskToJoin } from './ask-to-join.ts';
import { BookingCardLine, CardLink } from './booking-card-line.tsx';
import { findRequirement, RequirementButton } from './booking-requirement.tsx';
import { changedByBooking } from './changed-by-booking.ts';
import { describeSlotChanges } from './slot-changes.ts';
import type { BookingProgress, useBookLesson } from './use-book-lesson.ts';
import { useHeldSlots } from './use-held-slots.ts';
import { heldBy, isBooked, WhoIsItFor } from './who-is-it-for.tsx';

type BookingConfirmationProps = Pick<ReturnType<typeof useBookLesson>, 'book' | 'reset'> & {
  slot: OpenSlot;
  /** The customer first, then the dependants; empty if they could not be fetched. */
  participants: Participant[];
  /** Null until the customer has chosen. */
  chosenIds: string[] | null;
  onChoose: (participantIds: string[]) => void;
  progress: Extract<BookingProgress, { step: 'idle' | 'working' | 'failed' }>;
  onClose: () => void;
};

/** After these errors, the dialog no longer offers to confirm the booking, unless `codesOfOne` applies. */
const finalCodes: ErrorCode[] = ['slot_full', 'slot_unavailable', 'not_found', 'already_booked', 'overlap'];

/** If several people take part, these errors concern only one of them, whom the customer can leave out. */
const codesOfOne: ErrorCode[] = ['slot_full', 'already_booked', 'overlap'];

/** These errors mean that the dialog's details of the lesson are outdated. */
const changedCodes: ErrorCode[] = ['time_changed', 'location_changed', 'slot_unavailable'];

const itemsOf = ({ slotId }: OpenSlot, participantIds: string[]) =>
  participantIds.map((participantId) => ({ slotId, participantId }));

/**
 * The confirmation before paying: the lesson, its participants, price, card and terms, and the button with the amount.
 */
export function BookingConfirmation(props: BookingConfirmationProps) {
  const { slot, participants, chosenIds, onChoose, progress, book, reset, onClose } = props;
  const client = useQueryClient();
  const markFull = useMarkSlotFull();
  const payment = useApi(paymentsApi.getPaymentMethod, {});
  const held = useHeldSlots();
  const asking = useAskToJoin(slot);
  const { user } = useAuth();
  const basket = useBasket();
  const [newPriceCents, setNewPriceCents] = useState<number | null>(null);
  const [seen] = useState(slot);
  const [isLookingAgain, setIsLookingAgain] = useState(false);
  const [isUnchosen, setIsUnchosen] = useState(false);
  const unitCents = newPriceCents ?? slot.priceCents;
  const changes = describeSlotChanges(seen, { ...slot, priceCents: unitCents }, Date.now()).join(' ');
  // On a phone, a change or the outcome of an attempt may be out of sight, behind the dialog's buttons.
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (progress.step === 'failed' || asking.answer || changes) {
      notices.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [progress, asking.answer, changes]);
  if (payment.isPending || held.isPending) return <Spinner className="py-16" />;

  const card = payment.data?.card ?? null;
  const seats = held.bySlot.get(slot.slotId) ?? [];
  const isFamily = participants.length > 1;
  const free = participants.filter((participant) => !isBooked(participant, seats));
  // If only one person can be chosen, that person is chosen by default. If the participants could not be fetched,
  // the booking is for the customer.
  const chosen =
    chosenIds === null && free.length === 1
      ? free
      : free.filter(({ participantId }) => chosenIds?.includes(participantId));
  const ids = chosen.map(({ participantId }) => participantId);
  const isJoint = chosen.length > 1;
  const priceCents = unitCents * Math.max(chosen.length, 1);
  const own = isFamily ? chosen.map((participant) => heldBy(participant, seats)) : seats.slice(0, 1);
  const booked = seats.find(({ status }) => status === 'booked');
  const isWorking = progress.step === 'working';
  const failure = progress.step === 'failed' ? progress : null;
  // A seat that the customer holds counts as taken, but the customer can still pay for it.
  const isPending = own.length > 0 && own.every((seat) => seat?.status === 'pending');
  const obstacle = progress.step !== 'idle' || isPending ? null : bookingObstacle(slot);
  const isDone = isFamily ? free.length === 0 || obstacle !== null : own[0]?.status === 'booked';
  if (booked && isDone && progress.step === 'idle') {
    const isForAll = isFamily && free.length === 0;
    return <AlreadyBooked slot={slot} bookingId={booked.bookingId} isForAll={isForAll} onClose={onClose} />;
  }
  const isOfOne = failure?.slotId !== undefined && codesOfOne.includes(failure.code);
  const isFinal = failure !== null && finalCodes.includes(failure.code) && !isOfOne;
  const isOver = obstacle !== null || isFinal;
  const needsCard = !card && priceCents > 0 && payment.isSuccess && !isPending;
  const lacking = chosen.find((participant) => findRequirement(participant, slot, !isFamily) !== null);
  const requirement = lacking && !isPending && !obstacle ? findRequirement(lacking, slot, !isFamily) : null;
  const bookingId = failure?.bookingId;
  const refused = chosen.find(({ participantId }) => participantId === failure?.participantId) ?? chosen[0];

  const choose = (participantIds: string[]) => {
    setIsUnchosen(false);
    asking.reset();
    reset();
    onChoose(participantIds);
  };

  const confirm = async () => {
    if (isFamily && chosen.length === 0) return setIsUnchosen(true);
    asking.reset();
    if (isFamily) onChoose(ids);
    const { slotId, startTime, location } = slot;
    const shown = { slotId, startTime, location, baseAmountCents: unitCents };
    const ended = await book(
      chosen.length > 0 ? ids.map((participantId) => ({ ...shown, participantId })) : [shown],
    );
    if (ended.step === 'booked') {
      basket.remove(itemsOf(slot, ids));
      toastSuccess('Booking Successful!', 'Your lesson has been booked successfully');
      await invalidate(client, changedByBooking);
    } else if (ended.step === 'waiting') {
      await invalidate(client, changedByBooking);
    } else if (ended.step === 'failed') {
      toastError(ended.message, 'Booking Failed');
      if (ended.code === 'slot_full' && !isJoint) markFull(slot);
      if (isJoint && codesOfOne.includes(ended.code)) await invalidate(client, changedByBooking);
      if (ended.newPriceCents !== undefined) setNewPriceCents(ended.newPriceCents);
      if (changedCodes.includes(ended.code)) {
        // Until the refetch ends, the details in the dialog are older than the message.
        setIsLookingAgain(true);
        await invalidate(client, [...changedByBooking, openSlotLists]);
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
        <LessonLines
          slot={slot}
          newSeats={own.length === 0 ? 1 : own.filter((seat) => seat === undefined).length}
        />
        {participants.length > 0 && !obstacle && (
          <WhoIsItFor
            slot={slot}
            participants={participants}
            held={seats}
            chosenIds={ids}
            error={isUnchosen ? 'Choose who takes part.' : undefined}
            isBusy={isWorking}
            onChoose={choose}
          />
        )}
        <div className="space-y-3 border-t pt-4">
          <div className="flex items-baseline justify-between">
            <span className="text-sm text-muted-foreground">
              Total price{isJoint && ` for ${chosen.length} places`}
            </span>
            <Money cents={priceCents} className="text-2xl font-semibold" />
          </div>
          {priceCents > 0 && (
            <BookingCardLine card={card} isUnread={payment.isError} isChangeable={!isWorking} />
          )}
          {priceCents > 0 && card && <CardExpiryWarning card={card} />}
        </div>
        <CancellationTerms slot={slot} priceCents={unitCents} isEach={isJoint} />
        {!isOver && !isPending && requirement?.needs !== 'child' && (
          <BasketOffer
            items={itemsOf(slot, isFamily ? ids : user ? [user.id] : [])}
            onNobody={() => setIsUnchosen(true)}
            isBusy={isWorking}
            onAdded={() => {
              toastSuccess('Added to your basket');
              onClose();
            }}
          />
        )}
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
          {changes && !failure && !obstacle && (
            <p className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">{changes}</p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        {isOver && bookingId && (
          <Button asChild variant="secondary">
            <SeeBooking bookingId={bookingId} />
          </Button>
        )}
        {isOver || (asking.answer && !asking.isAllowed) ? (
          <Button onClick={onClose}>Find another lesson</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={isWorking} onClick={onClose}>
              Not now
            </Button>
            {requirement ? (
              <RequirementButton
                participant={lacking!}
                requirement={requirement}
                onChoose={(participantId) => choose([participantId])}
              />
            ) : needsCard ? (
              <Button asChild>
                <CardLink>Add a card</CardLink>
              </Button>
            ) : failure?.canAsk && !asking.isAllowed ? (
              <Button
                onClick={() => asking.ask(refused!)}
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
