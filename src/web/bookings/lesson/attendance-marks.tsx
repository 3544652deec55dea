import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { isMarkable } from '#domain/bookings/attendee-status.ts';
import type { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { cn } from '#web/ui/class-names.ts';

type Attendee = OutputOf<typeof lessonsApi.listAttendees>['attendees'][number];

/** Counts the attendance marks: "2 attended 1 absent 5 to mark". */
export function AttendanceCount({ attendees }: { attendees: Attendee[] }) {
  const expected = attendees.filter(isMarkable);
  const attended = expected.filter((attendee) => attendee.attended === true).length;
  const absent = expected.filter((attendee) => attendee.attended === false).length;
  if (expected.length === 0) return null;
  return (
    <p role="status" className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm tabular-nums">
      <Figure count={attended} label="attended" />
      <Figure count={absent} label="absent" />
      <Figure count={expected.length - attended - absent} label="to mark" />
    </p>
  );
}

function Figure({ count, label }: { count: number; label: string }) {
  return (
    <span>
      <span className="text-lg font-semibold">{count}</span>{' '}
      <span className="text-muted-foreground">{label}</span>
    </span>
  );
}

type AttendanceButtonsProps = {
  name: string;
  attended: boolean | null;
  onMark: (attended: boolean | null) => void;
};

const markClasses = [
  'inline-flex h-12 flex-1 items-center justify-center gap-2 rounded-md border px-4',
  'text-sm font-medium transition-colors touch:text-base [&_svg]:size-4',
].join(' ');
const unmarked = 'border-input/60 bg-card hover:bg-accent';

/** Two large toggle buttons; pressing the selected button again clears the mark. */
export function AttendanceButtons({ name, attended, onMark }: AttendanceButtonsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div role="group" aria-label={`Attendance for ${name}`} className="flex w-full gap-2 sm:pl-[3.25rem]">
      <button
        type="button"
        aria-pressed={attended === true}
        aria-label={`Attended: ${name}`}
        onClick={() => onMark(attended === true ? null : true)}
        className={cn(
          markClasses,
          attended === true ? 'border-success-mark bg-success-soft text-success' : unmarked,
        )}
      >
        <Check aria-hidden />
        Attended
      </button>
      <button
        type="button"
        aria-pressed={attended === false}
        aria-label={`Absent: ${name}`}
        onClick={() => onMark(attended === false ? null : false)}
        className={cn(
          markClasses,
          attended === false ? 'border-warning-mark bg-warning-soft text-warning' : unmarked,
        )}
      >
        <X aria-hidden />
        Absent
      </button>
    </div>
  );
}
