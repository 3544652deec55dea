import { cn } from '../class-names.ts';

type Bar = {
  key: string;
  /** `label` is shown under the bar; a phone has room for one letter and shows `tiny`. */
  label: string;
  tiny: string;
  /** Shown on hover: "November 2026: £120.00". */
  name: string;
  value: number;
};

type BarChartProps = {
  /** The chart's description for screen readers; put the figures themselves in a table beside the chart. */
  label: string;
  /** Bars for values above 0; the last bar is the current period and is highlighted. */
  bars: readonly Bar[];
  /** The top of the scale is at least this value. */
  smallestTop: number;
  formatTick: (value: number) => string;
};

/** Vertical bars over a scale of three lines, as wide as the space allows, in one colour of the theme. */
export function BarChart({ label, bars, smallestTop, formatTick }: BarChartProps) {
  const top = roundUp(Math.max(smallestTop, ...bars.map(({ value }) => value)));
  const step = 100 / bars.length;
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 text-xs text-muted-foreground tabular-nums">
      <div aria-hidden className="-my-2.5 flex flex-col justify-between text-right">
        {[top, top / 2, 0].map((tick) => (
          <span key={tick}>{formatTick(tick)}</span>
        ))}
      </div>
      <svg role="img" aria-label={label} className="h-44 w-full overflow-visible md:h-56">
        {['0%', '50%', '100%'].map((y) => (
          <line key={y} x1="0%" x2="100%" y1={y} y2={y} className="stroke-border" />
        ))}
        {bars.map(({ key, name, value }, index) => {
          const height = (Math.max(0, value) / top) * 100;
          return (
            <g key={key}>
              <title>{name}</title>
              <rect x={`${index * step}%`} y="0%" width={`${step}%`} height="100%" fill="transparent" />
              {height > 0 && (
                <rect
                  x={`${(index + 0.2) * step}%`}
                  y={`${100 - height}%`}
                  width={`${0.6 * step}%`}
                  height={`${height}%`}
                  rx="3"
                  className={cn(index === bars.length - 1 ? 'fill-primary' : 'fill-primary/60')}
                />
              )}
            </g>
          );
        })}
      </svg>
      <div
        aria-hidden
        className="col-start-2 grid text-center"
        style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}
      >
        {bars.map((bar, index) => (
          <span key={bar.key} className={cn(index === bars.length - 1 && 'font-semibold text-foreground')}>
            <span className="sm:hidden">{bar.tiny}</span>
            <span className="max-sm:hidden">{bar.label}</span>
          </span>
        ))}
      </div>
    </div>
  );
}

/** The first of 1, 2, 4, 6, 8 and 10 times a power of ten that is at least `value`, so that its half is round too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 6, 8, 10].find((round) => round * power >= value)!;
}
