import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { BadgeList } from '#web/ui/lesson/badge-list.tsx';
import { LessonRow } from '#web/ui/lesson/lesson-row.tsx';
import { SeatsLeft } from '#web/ui/lesson/seats-left.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';
import { Specimen } from './specimen.tsx';

const lessons = [
  { title: "Beginners' tennis", sport: 'tennis', lessonType: 'group', bookedCount: 3, maxCapacity: 8 },
  { title: 'Serve and volley', sport: 'tennis', lessonType: 'group', bookedCount: 7, maxCapacity: 8 },
  {
    title: 'Freestyle technique',
    sport: 'swimming',
    lessonType: 'individual',
    bookedCount: 0,
    maxCapacity: 1,
  },
  { title: 'Goalkeeping', sport: 'football', lessonType: 'group', bookedCount: 6, maxCapacity: 6 },
] as const;

const found = {
  data: lessons,
  error: null,
  items: [...lessons],
  isFetching: false,
  isPlaceholderData: false,
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: true,
  refetch: () => {},
  fetchNextPage: () => {},
};

/** A paged list of lessons whose next page failed to load, and a coach's badges. */
export function LessonSpecimens() {
  return (
    <Section title="Lessons">
      <Specimen name="Paged list">
        <PagedList
          found={found}
          skeleton={<SkeletonRows />}
          failure="Failed to load lessons"
          empty={<EmptyState title="No lessons" />}
          more="Show more lessons"
        >
          {(items) => (
            <ul className="@container">
              {items.map((lesson) => (
                <LessonRow
                  key={lesson.title}
                  className="border-t py-4 @2xl:grid-cols-[8rem_1fr_6rem_8rem]"
                  when={
                    <>
                      <span className="block font-semibold">Sat 21 Nov</span>
                      <span className="text-sm text-muted-foreground">09:00–10:00</span>
                    </>
                  }
                  price={<Money cents={4500} className="font-semibold" />}
                  actionsClass="flex items-center justify-between gap-2 @2xl:flex-col"
                  actions={
                    <>
                      <SeatsLeft lesson={lesson} />
                      <Button size="sm">Book Lesson</Button>
                    </>
                  }
                >
                  <h4>{lesson.title}</h4>
                  <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground">
                    <SportName sport={lesson.sport} />
                    <SeatsLeft isPlain lesson={lesson} />
                  </p>
                </LessonRow>
              ))}
            </ul>
          )}
        </PagedList>
      </Specimen>
      <Specimen name="Badges of a coach">
        <BadgeList
          badges={[
            {
              label: 'Public liability insurance valid to 03/2027',
              checked: 'The club checked this in June 2026. It is valid to March 2027.',
              how: 'A copy that the coach uploaded was read. Nobody confirmed it with the issuer.',
              limits: "It shows that cover was in place. It doesn't say what the cover includes or pays for.",
            },
          ]}
        />
      </Specimen>
    </Section>
  );
}
