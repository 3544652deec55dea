import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { Button } from '#web/ui/button.tsx';
import { type CalendarLesson, writeCalendarFile } from './calendar-file.ts';

/** Hands the lesson to the device's calendar as a file. */
export function AddToCalendar({ lesson }: { lesson: CalendarLesson }) {
  const download = () => {
    const file = new Blob([writeCalendarFile(lesson, Date.now())], { type: 'text/calendar' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = 'lesson.ics';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <Button variant="secondary" size="sm" onClick={download}>
      <CalendarPlus aria-hidden />
      Add to calendar
    </Button>
  );
}
