import { cn } from '../class-names.ts';

type DayBarsProps = {
  /** The chart's description, with the important figures, for people who cannot see the bars. */
  label: string;
  /** Oldest first; `title` appears while the pointer rests on the bar. */
  days: readonly { date: string; value: number; title: string }[];
  className?: string;
};

const [barWidth, step, height] = [7, 10, 56];

/** One thin bar per day over a hairline. A day with a value of zero or less has no bar. */
export function DayBars({ label, days, className }: DayBarsProps) {
  const highest = Math.max(1, ...days.map(({ value }) => value));
  const width = days.length * step;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height + 1}`}
      preserveAspectRatio="none"
      className={cn('block h-16 w-full text-primary', className)}
    >
      {days.map(({ date, value, title }, index) => {
        const tall = value > 0 ? Math.max(2, (value / highest) * height) : 0;
        return (
          <g key={date}>
            <rect
              x={index * step + 1.5}
              y={height - tall}
              width={barWidth}
              height={tall}
              fill="currentColor"
            />
            <rect x={index * step} y={0} width={step} height={height} fill="transparent">
              <title>{title}</title>
            </rect>
          </g>
        );
      })}
      <rect x={0} y={height} width={width} height={1} className="fill-border" />
    </svg>
  );
}
