import type { OpenSlot } from '#domain/catalogue/contract.ts';

/** "2 of 8 left", amber if few; "Individual" for a lesson for one. */
export function SeatsLeft({ lesson }: { lesson: OpenSlot }) {
  if (lesson.lessonType === 'individual') return <span>Individual</span>;
  const left = lesson.maxCapacity - lesson.bookedCount;
  const isTight = left === 1 || left <= lesson.maxCapacity / 4;
  return (
    <span className={`tabular-nums ${isTight ? 'text-warning' : ''}`}>
      {left} of {lesson.maxCapacity} left
    </span>
  );
}
