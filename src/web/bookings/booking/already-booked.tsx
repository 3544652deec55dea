import { Link } from '@tanstack/react-router';
import { alreadyBookedText } from '#domain/bookings/rules.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { LessonLines } from '../lesson-lines.tsx';

type AlreadyBookedProps = {
  slot: OpenSlot;
  bookingId: string;
  /** Whether everyone in the family is booked. */
  isForAll: boolean;
  onClose: () => void;
};

/**
 * Shown instead of the price and card if the customer has booked this lesson and can't book it for anyone
 * else.
 */
export function AlreadyBooked({ slot, bookingId, isForAll, onClose }: AlreadyBookedProps) {
  return (
    <>
      <DialogBody className="space-y-5">
        <p role="status" className="rounded-md bg-muted px-3 py-2 text-sm font-medium">
          {isForAll ? "You've booked this lesson for everyone." : alreadyBookedText}
        </p>
        <LessonLines slot={slot} newSeats={0} />
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

export function SeeBooking({ bookingId, ...props }: { bookingId: string }) {
  return (
    <Link to="/customer/bookings/$bookingId" params={{ bookingId }} replace {...props}>
      See your booking
    </Link>
  );
}
