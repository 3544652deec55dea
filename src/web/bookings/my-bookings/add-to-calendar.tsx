import CalendarPlus from 'lucide-react/icons/calendar-plus';
import type { ComponentProps } from 'react';
import type { Booking } from '#domain/bookings/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { type CalendarLesson, writeCalendarFile } from './calendar-file.ts';

type ButtonLook = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'>;

/** True for a booked lesson that has not ended. `now` in ms since 1970. */
export const isInCalendar = ({ status, endTime }: Booking, now: number) =>
  (status === 'booked' || status === 'attended') && Date.parse(endTime) > now;

/** A button that saves the lesson as a file for the device's calendar. */
export function AddToCalendar({ lesson, ...look }: { lesson: CalendarLesson } & ButtonLook) {
  const download = () => {
    const file = new Blob([writeCalendarFile(lesson, Date.now())], { type: 'text/calendar' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = 'lesson.ics';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      {...look}
      onClick={download}
      aria-label={`Add to calendar: ${lesson.title}, ${formatLessonTime(lesson.startTime, lesson.endTime, Date.now())}`}
    >
      <CalendarPlus aria-hidden />
      Add to calendar
    </Button>
  );
}
