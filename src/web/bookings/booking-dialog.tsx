import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi, type OpenSlot } from '#domain/catalogue/contract.ts';
import { formatPounds } from '#domain/money.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { invalidate, useApi } from '#web/app/api.ts';
import { useAuth } from '#web/app/auth-provider.tsx';
import { usePaymentAuthentication } from '#web/payments/payment-authentication.tsx';
import { describeCard } from '#web/payments/saved-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { bookingObstacle } from './lesson-dialog.tsx';
import { describePolicy } from './policy-words.ts';
import { useBookLesson } from './use-book-lesson.ts';
import { useMarkSlotFull } from './use-open-slots.ts';

/** Confirming a booking: what, when, where, with whom, for how much, on which card, and on what terms. */
export function BookingDialog({ slotId, onClose }: { slotId: string; onClose: () => void }) {
  const { user, isCustomer, loading } = useAuth();
  const slot = useApi(catalogueApi.getOpenSlot, { slotId });
  const title = user ? 'Confirm your booking' : 'Login Required';
  const { authenticate, dialog } = usePaymentAuthentication();
  const booking = useBookLesson(authenticate);
  const isWorking = booking.progress.step === 'working';
  const isBooked = booking.progress.step === 'booked';
  return (
    <>
      <Dialog open onOpenChange={(isOpen) => !isOpen && !isWorking && onClose()}>
        <DialogContent
          title={isBooked ? 'You’re booked' : title}
          onInteractOutside={(event) => isWorking && event.preventDefault()}
        >
          {(slot.isPending || loading) && <Spinner className="py-16" />}
          {slot.isError && (
            <DialogBody>
              <ErrorState
                title="Lesson not found"
                message={slot.error.message}
                onRetry={() => void slot.refetch()}
              />
            </DialogBody>
          )}
          {slot.data && !loading && !user && <SignInFirst />}
          {slot.data && user && !loading && !isCustomer && (
            <DialogBody>
              <p className="text-sm">You need customer permissions to book a lesson.</p>
            </DialogBody>
          )}
          {slot.data && isCustomer && <Confirmation slot={slot.data.slot} {...booking} />}
        </DialogContent>
      </Dialog>
      {dialog}
    </>
  );
}

function SignInFirst() {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <DialogBody>
        <p className="font-medium">Authentication Required</p>
        <p className="mt-1 text-sm text-muted-foreground">
          Sign in or create an account to book this lesson. We bring you right back here.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button asChild variant="secondary">
          <Link to="/signup" search={{ next: here }}>
            Create Account
          </Link>
        </Button>
        <Button asChild>
          <Link to="/login" search={{ next: here }}>
            Sign In
          </Link>
        </Button>
      </DialogFooter>
    </>
  );
}

function Confirmation({ slot, progress, book }: { slot: OpenSlot } & ReturnType<typeof useBookLesson>) {
  const client = useQueryClient();
  const markFull = useMarkSlotFull();
  const payment = useApi(paymentsApi.getPaymentMethod, {});
  const policy = useApi(settingsApi.getCancellationPolicy, {});
  const [priceCents, setPriceCents] = useState(slot.priceCents);
  const card = payment.data?.card ?? null;
  const isFree = priceCents === 0;
  const obstacle = progress.step === 'idle' ? bookingObstacle(slot) : null;
  if (payment.isPending) return <Spinner className="py-16" />;
  if (progress.step === 'booked') return <Booked slot={slot} bookingId={progress.bookingId} />;
  if (progress.step === 'waiting') return <StillWaiting />;

  const confirm = async () => {
    const ended = await book(slot.slotId, priceCents);
    if (ended.step === 'booked') {
      toastSuccess('Booking Successful!', 'Your lesson has been booked successfully');
      await invalidate(client, [
        catalogueApi.discoverSlots,
        catalogueApi.getOpenSlot,
        bookingsApi.listMine,
        bookingsApi.getMyStats,
      ]);
    } else if (ended.step === 'failed') {
      toastError(ended.message, 'Booking Failed');
      if (ended.code === 'slot_full') markFull(slot.slotId);
      if (ended.newPriceCents !== undefined) setPriceCents(ended.newPriceCents);
    }
  };
  return (
    <>
      <DialogBody className="space-y-5">
        <LessonLines slot={slot} />
        <div className="flex items-baseline justify-between border-t pt-4">
          <span className="text-sm text-muted-foreground">Total price</span>
          <Money cents={priceCents} className="text-2xl font-semibold" />
        </div>
        {!isFree && <CardLine slotId={slot.slotId} card={card} />}
        {policy.data && !isFree && (
          <p className="text-sm text-muted-foreground">
            {describePolicy(policy.data, slot.startTime, priceCents, Date.now())}
          </p>
        )}
        <div role="alert">
          {progress.step === 'failed' && (
            <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
              {progress.message}
            </p>
          )}
          {obstacle && <p className="rounded-md bg-muted px-3 py-2 text-sm">{obstacle}</p>}
        </div>
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary" disabled={progress.step === 'working'}>
            Not now
          </Button>
        </DialogClose>
        <Button
          onClick={() => void confirm()}
          isLoading={progress.step === 'working'}
          loadingText={progress.step === 'working' ? progress.message : undefined}
          disabled={
            (!card && !isFree) ||
            obstacle !== null ||
            (progress.step === 'failed' && ['slot_full', 'slot_unavailable'].includes(progress.code))
          }
        >
          Confirm Booking{!isFree && ` · ${formatPounds(priceCents)}`}
        </Button>
      </DialogFooter>
    </>
  );
}

function LessonLines({ slot }: { slot: OpenSlot }) {
  return (
    <div>
      <p className="text-base font-semibold">{slot.title}</p>
      <p className="mt-1 text-sm tabular-nums">
        {formatLessonTime(slot.startTime, slot.endTime, Date.now())}{' '}
        <span className="text-muted-foreground">London time</span>
      </p>
      <p className="mt-1 text-sm text-muted-foreground">
        with {slot.coachName}
        {slot.location && ` · ${slot.location.name}, ${slot.location.city}`}
      </p>
      {slot.lessonType === 'group' && (
        <p className="mt-1 text-sm text-muted-foreground tabular-nums">
          Group lesson: {Math.min(slot.bookedCount + 1, slot.maxCapacity)} of {slot.maxCapacity} with you
        </p>
      )}
    </div>
  );
}

function CardLine({ slotId, card }: { slotId: string; card: { brand: string; lastFour: string } | null }) {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const next = here.includes('book=') ? here : `/customer/discover?book=${slotId}`;
  return (
    <div className="flex items-center justify-between gap-4 text-sm">
      <span className={card ? 'tabular-nums' : 'text-muted-foreground'}>
        {card ? describeCard(card) : 'No card saved yet. Add one to book; you come right back here.'}
      </span>
      <Button asChild variant={card ? 'link' : 'primary'} size="sm">
        <Link to="/customer/payment-methods" search={{ next }}>
          {card ? 'Change' : 'Add a card'}
        </Link>
      </Button>
    </div>
  );
}

function Booked({ slot, bookingId }: { slot: OpenSlot; bookingId: string }) {
  return (
    <>
      <DialogBody className="space-y-4">
        <CircleCheck aria-hidden className="size-10 text-success" />
        <LessonLines slot={{ ...slot, lessonType: 'individual' }} />
        <p className="text-sm text-muted-foreground">
          The receipt is on its way to your mailbox. Wear what you can move in and come five minutes early.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button asChild variant="secondary">
          <Link to="/customer/bookings/$bookingId" params={{ bookingId }}>
            Receipt
          </Link>
        </Button>
        <Button asChild>
          <Link to="/customer/my-bookings">View My Bookings</Link>
        </Button>
      </DialogFooter>
    </>
  );
}

function StillWaiting() {
  return (
    <>
      <DialogBody className="space-y-2 text-sm">
        <p className="font-medium">Your bank has not answered yet.</p>
        <p className="text-muted-foreground">
          Your place is held. We keep asking and send you a mail as soon as it is decided; if the payment does
          not go through, you are not charged.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button asChild>
          <Link to="/customer/my-bookings">View My Bookings</Link>
        </Button>
      </DialogFooter>
    </>
  );
}
