import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import { Suspense } from 'react';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { LessonLines } from '../lesson-lines.tsx';

const PushOffer = lazyPart(() => import('#web/notifications/push/push-offer.tsx'), 'PushOffer');

type BookedProps = {
  slot: OpenSlot;
  bookingId: string;
  /** Books the same lesson for another member of the family; undefined if everyone is booked or no seat is left. */
  onBookAgain: (() => void) | undefined;
};

export function Booked({ slot, bookingId, onBookAgain }: BookedProps) {
  return (
    <>
      <DialogBody className="space-y-4">
        <CircleCheck aria-hidden className="size-10 text-success-mark" />
        <LessonLines slot={{ ...slot, lessonType: 'individual' }} newSeats={0} />
        <p className="text-sm text-muted-foreground">
          We've emailed your receipt. Wear comfortable clothes, bring water and arrive five minutes early.
        </p>
        <div className="flex flex-wrap gap-2">
          <AddToCalendar source={{ bookingId }} lesson={slot} />
          {onBookAgain && (
            <Button variant="secondary" size="sm" onClick={onBookAgain}>
              Book for someone else
            </Button>
          )}
        </div>
        <Suspense>
          <PushOffer />
        </Suspense>
      </DialogBody>
      <DialogFooter>
        <Button asChild variant="secondary">
          <Link to="/customer/bookings/$bookingId" params={{ bookingId }} replace>
            View receipt
          </Link>
        </Button>
        <Button asChild>
          <Link to="/customer/my-bookings" replace>
            View My Bookings
          </Link>
        </Button>
      </DialogFooter>
    </>
  );
}

/** Shown if the payment is still pending when the screen stops polling. */
export function StillWaiting() {
  return (
    <>
      <DialogBody className="space-y-2 text-sm">
        <p className="font-medium">Your bank hasn't responded yet.</p>
        <p className="text-muted-foreground">
          We're holding your place and will email you once the lesson is booked. If the payment fails, you
          won't be charged.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button asChild>
          <Link to="/customer/my-bookings" replace>
            View My Bookings
          </Link>
        </Button>
      </DialogFooter>
    </>
  );
}
