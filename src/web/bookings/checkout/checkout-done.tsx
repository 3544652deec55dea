import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import { nameParticipant } from '#domain/accounts/participants.ts';
import { formatLessonTime } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import type { BookingProgress } from '../booking/use-book-lesson.ts';
import type { BasketSeat } from './use-basket-seats.ts';

type CheckoutDoneProps = {
  progress: Extract<BookingProgress, { step: 'booked' | 'waiting' }>;
  seats: BasketSeat[];
};

/** The result of a checkout: its bookings, or that the bank hasn't responded yet. */
export function CheckoutDone({ progress, seats }: CheckoutDoneProps) {
  const isBooked = progress.step === 'booked';
  return (
    <div className="max-w-2xl">
      {isBooked && <CircleCheck aria-hidden className="mb-4 size-10 text-success-mark" />}
      <h1>{isBooked ? "You're booked" : "Your bank hasn't responded yet"}</h1>
      <p role="status" className="mt-2 text-muted-foreground">
        {isBooked
          ? seats.length > 1
            ? "We've emailed a receipt for each place. You can cancel each place separately."
            : "We've emailed your receipt."
          : `We're holding your ${seats.length > 1 ? 'places' : 'place'} and will email you once the payment arrives. If it fails, you won't be charged.`}
      </p>
      <ul className="mt-6 divide-y border-y">
        {seats.map(({ slotId, participantId, slot, participant }) => (
          <li key={`${slotId} ${participantId}`} className="py-4">
            <p className="font-semibold">{slot.title}</p>
            <p className="mt-1 text-sm tabular-nums">
              {formatLessonTime(slot.startTime, slot.endTime, Date.now())}, for{' '}
              {participant.kind === 'self' ? 'you' : nameParticipant(participant)}
            </p>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button asChild>
          <Link to="/customer/my-bookings">View My Bookings</Link>
        </Button>
        {isBooked && (
          <Button asChild variant="secondary">
            <Link to="/customer/bookings/$bookingId" params={{ bookingId: progress.bookingId }}>
              View receipt
            </Link>
          </Button>
        )}
      </div>
    </div>
  );
}
