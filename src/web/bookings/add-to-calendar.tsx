import { useMutation } from '@tanstack/react-query';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import type { ComponentProps } from 'react';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import type { Booking } from '#domain/bookings/contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { formatLessonTime } from '#domain/time.ts';
import { callApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { saveFile } from '#web/ui/save-file.ts';

type ButtonLook = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'>;

/** A customer's booking, or a coach's own lesson. */
type Source = { bookingId: string } | { slotId: string };

/**
 * Whether a booking has the status `booked` or `attended` and its lesson has not ended. `now` is in ms since
 * 1970.
 */
export const isInCalendar = ({ status, endTime }: Booking, now: number) =>
  (status === 'booked' || status === 'attended') && Date.parse(endTime) > now;

/** A button that saves a lesson as a file for the device's calendar. */
export function AddToCalendar({
  source,
  lesson,
  ...look
}: { source: Source; lesson: Pick<CoachSlot, 'title' | 'startTime' | 'endTime'> } & ButtonLook) {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      'bookingId' in source
        ? callApi(calendarApi.getBookingFile, source)
        : callApi(calendarApi.getSlotFile, source),
    onSuccess: ({ fileName, ics }) => saveFile({ name: fileName, type: 'text/calendar', text: ics }),
    onError: (error: AppError) => toastError(error.message),
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      {...look}
      onClick={() => mutate()}
      isLoading={isPending}
      loadingText="Preparing..."
      aria-label={`Add to calendar: ${lesson.title}, ${formatLessonTime(lesson.startTime, lesson.endTime, Date.now())}`}
    >
      <CalendarPlus aria-hidden />
      Add to calendar
    </Button>
  );
}
