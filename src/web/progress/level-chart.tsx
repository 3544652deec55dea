import type { SkillProgress } from '#domain/progress/progress-shapes.ts';
import { levelNames } from '#domain/progress/rules.ts';
import { formatDay } from '#domain/time.ts';

const levels = [1, 2, 3, 4, 5] as const;

/** The levels of a skill over time, with a line from each assessment to the next, and the newest level in words. */
export function LevelChart({ skill: { name, assessments } }: { skill: SkillProgress }) {
  const now = Date.now();
  const newest = assessments.at(-1)!;
  const first = Date.parse(assessments[0]!.at);
  const span = Date.parse(newest.at) - first;
  // A single assessment is centred.
  const points = assessments.map(({ level, at }) => ({
    at,
    level,
    x: span > 0 ? 3 + (94 * (Date.parse(at) - first)) / span : 50,
    y: 92 - (84 * (level - 1)) / 4,
  }));
  const described = points.map(({ level, at }) => `level ${level} on ${formatDay(at, now)}`).join(', ');
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-sm text-muted-foreground">
          {newest.level} of 5, {levelNames[newest.level as 1].toLowerCase()}
        </span>
      </figcaption>
      <svg role="img" aria-label={`${name}: ${described}`} className="mt-2 h-24 w-full overflow-visible">
        {levels.map((level) => (
          <line
            key={level}
            x1="0%"
            x2="100%"
            y1={`${92 - 21 * (level - 1)}%`}
            y2={`${92 - 21 * (level - 1)}%`}
            className="stroke-border"
          />
        ))}
        {points.slice(1).map((point, index) => (
          <line
            key={point.at}
            x1={`${points[index]!.x}%`}
            y1={`${points[index]!.y}%`}
            x2={`${point.x}%`}
            y2={`${point.y}%`}
            className="stroke-primary/60 stroke-2"
          />
        ))}
        {points.map(({ at, level, x, y }) => (
          <circle key={at} cx={`${x}%`} cy={`${y}%`} r="4" className="fill-primary">
            <title>{`Level ${level}, ${formatDay(at, now)}`}</title>
          </circle>
        ))}
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-muted-foreground">
        <span>{formatDay(assessments[0]!.at, now)}</span>
        {assessments.length > 1 && <span>{formatDay(newest.at, now)}</span>}
      </p>
    </figure>
  );
}
