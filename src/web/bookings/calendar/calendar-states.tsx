import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/page/skeleton.tsx';

/** A panel at the bottom of an empty grid; suggests a next step unless all dates are in the past. */
export function NoLessons({
  isDay,
  isPast,
  onCreate,
}: {
  isDay: boolean;
  isPast: boolean;
  onCreate: () => void;
}) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-6 z-20 flex justify-center px-4">
      <div className="pointer-events-auto flex flex-wrap items-center justify-center gap-x-6 gap-y-3 rounded-lg border bg-popover px-5 py-4 text-sm shadow-float max-md:text-center">
        <div>
          <p className="font-semibold">No lessons scheduled</p>
          <p className="text-muted-foreground">
            {isPast
              ? `You had no lessons ${isDay ? 'that day' : 'that week'}.`
              : 'Select a time in the calendar, or publish lessons on several dates.'}
          </p>
        </div>
        {!isPast && (
          <Button variant="secondary" onClick={onCreate}>
            Publish lessons
          </Button>
        )}
      </div>
    </div>
  );
}

/** Placeholder blocks in the shape of lessons: column, top in per cent, height in hours. */
const shapes = {
  week: [
    [0, 12, 1],
    [0, 46, 1.5],
    [1, 30, 1],
    [2, 12, 1.5],
    [3, 46, 1],
    [4, 22, 1],
    [4, 60, 1.5],
    [5, 16, 2],
  ],
  day: [
    [0, 14, 1],
    [0, 40, 1.5],
    [0, 68, 1],
  ],
} as const;

/** Covers the grid until its lessons have loaded; appears after a delay, so that the grid does not flicker. */
export function BlocksOnTheirWay({ isDay }: { isDay: boolean }) {
  const columns = isDay ? 1 : 7;
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-0 z-20 animate-fade-in overflow-hidden pt-14 pl-14 [animation-delay:200ms] [animation-fill-mode:both]"
    >
      <span className="sr-only">Loading lessons...</span>
      <div className="relative h-full">
        {shapes[isDay ? 'day' : 'week'].map(([column, top, hours]) => (
          <div
            key={`${column} ${top}`}
            style={{
              left: `${(100 * column) / columns}%`,
              top: `${top}%`,
              width: `${100 / columns}%`,
              height: hours * 48,
            }}
            className="absolute pr-1"
          >
            <Skeleton className="h-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
