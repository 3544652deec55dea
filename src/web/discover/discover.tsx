import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback } from 'react';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import type { DiscoverFilters as Filters } from '#domain/discover/contract.ts';
import type { ListedRating } from '#domain/reviews/review.ts';
import { formatDay, wallTimeOf } from '#domain/time.ts';
import { useLeave } from '#web/app/layout/dialog-address.ts';
import { useHeldSlots } from '#web/bookings/booking/use-held-slots.ts';
import { useBasket } from '#web/bookings/checkout/basket.ts';
import type { ListedSlot } from '#web/catalogue/open-slots.ts';
import { cn } from '#web/ui/class-names.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { MoreButton } from '#web/ui/page/paged-list.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';
import { FilterChips } from './active-filters.tsx';
import { useBornName } from './born-filter.tsx';
import { useCoachName } from './coach-filter.tsx';
import { DiscoverFilters } from './discover-filters.tsx';
import type { DiscoverChange, DiscoverSearch } from './discover-search.ts';
import { listActiveFilters } from './filter-controls.tsx';
import { NoLessons } from './no-lessons.tsx';
import { SlotCard } from './slot-card.tsx';
import { SortChoice } from './sort-choice.tsx';
import { useLiveSeats } from './use-live-seats.ts';
import { useOpenSlots } from './use-open-slots.ts';

// These parts are loaded only when they are shown.
const LessonDialog = lazyPart(() => import('./lesson-dialog.tsx'), 'LessonDialog');
const BasketBar = lazyPart(() => import('#web/bookings/checkout/basket-bar.tsx'), 'BasketBar');
const BookingDialog = lazyPart(() => import('#web/bookings/booking/booking-dialog.tsx'), 'BookingDialog');

/** Discover: filters in the URL, results in sections by day, details and booking in dialogs over the list. */
export function DiscoverScreen() {
  const search = useSearch({ strict: false }) as DiscoverSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const leave = useLeave();
  const { lesson, book, ...filters } = search;
  const found = useOpenSlots(filters as Filters);
  useLiveSeats(found.data ? found.dataUpdatedAt : 0);
  const change = useCallback(
    (next: DiscoverChange) =>
      void navigate({
        to: '/customer/discover',
        search: (known: DiscoverSearch) => ({ ...known, ...next }) as DiscoverSearch,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = () =>
    leave(router.buildLocation({ to: '/customer/discover', search: filters }).href, () =>
      change({ lesson: undefined, book: undefined }),
    );
  const slots = found.data?.pages.flatMap((page) => page.slots) ?? [];
  const ratings = new Map(
    found.data?.pages.flatMap((page) => (page.ratings ?? []).map((one) => [one.coachId, one] as const)),
  );
  const readName = useCoachName(filters.coachId);
  const names = {
    coach: slots.find((slot) => slot.coachId === filters.coachId)?.coachName ?? readName,
    participant: useBornName(filters.born),
  };
  const held = useHeldSlots();
  const basket = useBasket();
  const count = found.hasNextPage ? null : describeCount(slots.length);
  const isKnown = found.isSuccess && !found.isPlaceholderData;
  return (
    <>
      <h1>Find a lesson</h1>
      <p className="mt-2 text-muted-foreground">Times are London time.</p>
      <DiscoverFilters
        value={search}
        onChange={change}
        formatResultCount={isKnown && count ? `Show ${count}` : 'Show lessons'}
      />
      <div
        className={cn(
          'mt-4 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 touch:min-h-9',
          isKnown && !count && listActiveFilters(search).length === 0 && 'max-md:hidden',
        )}
      >
        <p role="status" className="text-sm text-muted-foreground tabular-nums">
          {isKnown && count}
        </p>
        <FilterChips value={search} onChange={change} names={names} />
        <div className="ml-auto hidden w-44 md:block">
          <SortChoice value={search} onChange={change} isLabelHidden />
        </div>
      </div>
      <QueryView
        query={found}
        failure="Failed to load available lesson slots"
        skeleton={<ListSkeleton />}
        isEmpty={() => slots.length === 0 && !found.isPlaceholderData}
        empty={<NoLessons filters={filters} onChange={change} />}
      >
        {() => (
          <div
            aria-busy={found.isPlaceholderData}
            // The cards of the previous search are about to move, so a press could be lost or land on another
            // card.
            className={cn(
              'in-[main:has([data-unsettled])]:pointer-events-none',
              found.isPlaceholderData && 'pointer-events-none opacity-60 transition-opacity delay-150',
            )}
          >
            <Sections
              slots={slots}
              filters={filters}
              isByTime={!search.sort}
              held={held.bySlot}
              ratings={ratings}
            />
          </div>
        )}
      </QueryView>
      <MoreButton found={{ ...found, items: slots }} label="Show more lessons" isAuto />
      {basket.items.length > 0 && (
        <Suspense>
          <BasketBar />
        </Suspense>
      )}
      <Suspense fallback={<OverlaySpinner />}>
        {lesson && !book && (
          <LessonDialog
            slotId={lesson}
            onClose={close}
            onBook={() => change({ book: lesson, lesson: undefined })}
          />
        )}
        {book && <BookingDialog key={book} slotId={book} onClose={close} />}
      </Suspense>
    </>
  );
}

function describeCount(count: number): string {
  if (count === 0) return 'No lessons';
  return `${count} ${count === 1 ? 'lesson' : 'lessons'}`;
}

type SectionsProps = {
  slots: ListedSlot[];
  filters: Filters;
  isByTime: boolean;
  held: Map<string, HeldSlot[]>;
  ratings: Map<string, ListedRating>;
};

/**
 * Lessons grouped by day; a single list if sorted by price, because days would repeat. A lesson that the coach moves
 * keeps its position.
 */
function Sections({ slots, filters, isByTime, held, ratings }: SectionsProps) {
  const groups: { day: string; slots: ListedSlot[] }[] = [];
  for (const slot of slots) {
    const day = isByTime ? dayOf(slot.listed ?? slot) : '';
    const last = groups.at(-1);
    if (last?.day === day) last.slots.push(slot);
    else groups.push({ day, slots: [slot] });
  }
  return groups.map((group) => (
    <section key={group.day} className="mt-6">
      <h2 className={group.day ? 'border-b pb-2 text-base' : 'sr-only'}>
        {group.day ? formatDay(`${group.day}T12:00:00Z`, Date.now()) : 'Lessons by price'}
      </h2>
      <ul className="@container">
        {group.slots.map((slot) => (
          <SlotCard
            key={slot.slotId}
            slot={slot}
            filters={filters}
            hasDay={dayOf(slot) !== group.day}
            held={held.get(slot.slotId) ?? []}
            rating={ratings.get(slot.coachId)}
          />
        ))}
      </ul>
    </section>
  ));
}

const dayOf = ({ startTime }: Pick<ListedSlot, 'startTime'>) => wallTimeOf(startTime).date;

function ListSkeleton() {
  return (
    <Loading label="Loading lessons..." className="mt-6">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} className="flex items-center gap-6 border-t py-5 first:border-t-0">
          <Skeleton className="h-10 w-28" />
          <div className="grow space-y-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </div>
          <Skeleton className="h-8 w-24" />
        </div>
      ))}
    </Loading>
  );
}
