import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { useParticipants } from '#web/accounts/family/use-participants.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { ProfileUnreachable } from '#web/app/auth/gates.tsx';
import { wasSessionEnded } from '#web/app/auth/session.ts';
import { useLiveSlot } from '#web/catalogue/open-slots.ts';
import { usePaymentAuthentication } from '#web/payments/payment-authentication.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { isFull } from '../slot-facts.tsx';
import { BookingConfirmation } from './booking-confirmation.tsx';
import { Booked, StillWaiting } from './booking-outcome.tsx';
import { OpenSlotView } from './open-slot-view.tsx';
import { useBookLesson } from './use-book-lesson.ts';
import { useHeldSlots } from './use-held-slots.ts';
import { describeBooked, isBooked } from './who-is-it-for.tsx';

/** Asks the customer to confirm a booking, and shows the outcome; asks visitors to sign in first. */
export function BookingDialog({ slotId, onClose }: { slotId: string; onClose: () => void }) {
  const { user, isCustomer, isProfileUnreachable, refreshProfile, loading } = useAuth();
  const query = useApi(slotsApi.getOpenSlot, { slotId });
  useLiveSlot(slotId);
  const { authenticate, dialog } = usePaymentAuthentication();
  const { progress, book, reset } = useBookLesson(authenticate);
  const { participants, isPending: isReadingFamily } = useParticipants();
  const seats = useHeldSlots().bySlot.get(slotId) ?? [];
  const [chosenIds, setChosenIds] = useState<string[] | null>(null);
  const isWorking = progress.step === 'working';
  const isChosen = ({ participantId }: { participantId: string }) => chosenIds?.includes(participantId);
  const isVisitor = !user && !loading;
  const isSessionEnded = isVisitor && wasSessionEnded();
  const title =
    progress.step === 'booked'
      ? describeBooked(participants.filter(isChosen))
      : !isVisitor
        ? 'Confirm your booking'
        : isSessionEnded
          ? "You're signed out"
          : 'Login Required';
  const hasOthers = (slot: OpenSlot) =>
    !isFull(slot) &&
    participants.some((participant) => !isChosen(participant) && !isBooked(participant, seats));
  function bookAgain() {
    setChosenIds(null);
    reset();
  }
  return (
    <>
      <Dialog open onOpenChange={(isOpen) => !isOpen && !isWorking && onClose()}>
        <DialogContent title={title} onInteractOutside={(event) => isWorking && event.preventDefault()}>
          <OpenSlotView query={query} skeleton={<Spinner className="py-16" />}>
            {(slot) => {
              if (loading) return <Spinner className="py-16" />;
              if (isVisitor) return <SignInFirst isSessionEnded={isSessionEnded} />;
              if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
              if (!isCustomer) {
                return (
                  <DialogBody>
                    <p className="text-sm">You need customer permissions to book a lesson.</p>
                  </DialogBody>
                );
              }
              if (progress.step === 'booked') {
                return (
                  <Booked
                    slot={slot}
                    bookingId={progress.bookingId}
                    onBookAgain={hasOthers(slot) ? bookAgain : undefined}
                  />
                );
              }
              if (progress.step === 'waiting') return <StillWaiting />;
              if (isReadingFamily) return <Spinner className="py-16" />;
              return (
                <BookingConfirmation
                  slot={slot}
                  participants={participants}
                  chosenIds={chosenIds}
                  onChoose={setChosenIds}
                  progress={progress}
                  book={book}
                  reset={reset}
                  onClose={onClose}
                />
              );
            }}
          </OpenSlotView>
        </DialogContent>
      </Dialog>
      {dialog}
    </>
  );
}

function SignInFirst({ isSessionEnded }: { isSessionEnded: boolean }) {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <DialogBody>
        {!isSessionEnded && <p className="mb-1 font-medium">Authentication Required</p>}
        <p className="text-sm text-muted-foreground">
          {isSessionEnded
            ? "Sign in again to book this lesson. We'll bring you back here."
            : "Sign in or create an account to book this lesson. We'll bring you back here."}
        </p>
      </DialogBody>
      <DialogFooter>
        {!isSessionEnded && (
          <Button asChild variant="secondary">
            <Link to="/signup" search={{ next: here }} replace>
              Create Account
            </Link>
          </Button>
        )}
        <Button asChild>
          <Link to="/login" search={{ next: here }} replace>
            Sign In
          </Link>
        </Button>
      </DialogFooter>
    </>
  );
}
