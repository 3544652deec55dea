import { Link } from '@tanstack/react-router';
import { formatLessonTime } from '#domain/time.ts';
import { documentsApi, type TrustFile } from '#domain/verification/documents-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { Section } from '#web/ui/card.tsx';

/**
 * Booked lessons that aren't covered by the documents of the coach or, for an owner, of the team. Renders
 * nothing if there are none.
 */
export function UncoveredLessons({ coachId }: Pick<TrustFile, 'coachId'>) {
  const { data } = useApi(documentsApi.listUncovered, {});
  if (!data || data.lessons.length === 0) return null;
  return (
    <Section
      title="Booked lessons not covered by valid checks and documents"
      description="These lessons stay booked. Renew the documents in time, or cancel the lessons so that customers can book others."
    >
      <ul aria-label="Booked lessons not covered by valid checks and documents" className="divide-y border-y">
        {data.lessons.map((lesson) => {
          const { slotId, title, coachName, startTime, endTime, seats, minors } = lesson;
          return (
            <li
              key={slotId}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3 text-sm"
            >
              <span className="min-w-0">
                {lesson.coachId === coachId ? (
                  <Link
                    to="/coach/lesson/$slotId"
                    params={{ slotId }}
                    className="font-medium wrap-anywhere underline decoration-border underline-offset-4"
                  >
                    {title}
                  </Link>
                ) : (
                  <span className="font-medium wrap-anywhere">
                    {title} with {coachName}
                  </span>
                )}
                <span className="block text-muted-foreground tabular-nums">
                  {formatLessonTime(startTime, endTime, Date.now())}
                </span>
              </span>
              <span className="text-muted-foreground tabular-nums">
                {seats} booked{minors > 0 && `, ${minors} under 18`}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
