import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useRef } from 'react';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import type { DiscoverFilters as Filters, OpenSlot } from '#domain/catalogue/contract.ts';
import { formatDay, wallTimeOf } from '#domain/time.ts';
import { lazyPart } from '#web/app/lazy-part.ts';
import { useLeave } from '#web/app/leave.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useFailureToast } from '#web/ui/failure-toast.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { OverlaySpinner } from '#web/ui/spinner.tsx';
import { FilterChips, listActiveFilters } from './active-filters.tsx';
import { useCoachName } from './coach-filter.tsx';
import { SortChoice } from './discover-choices.tsx';
import { DiscoverFilters } from './discover-filters.tsx';
import type { DiscoverChange, DiscoverSearch } from './discover-search.ts';
import { NoLessons } from './no-lessons.tsx';
import { SlotCard } from './slot-card.tsx';
import { useHeldSlots } from './use-held-slots.ts';
import { useLivePlaces } from './use-live-places.ts';
import { useOpenSlots } from './use-open-slots.ts';

// What opens over the list is fetched when it does.
const LessonDialog = lazyPart(async () => (await import('./lesson-dialog.tsx')).LessonDialog);
const BookingDialog = lazyPart(async () => (await import('./booking-dialog.tsx')).BookingDialog);

/** Finding a lesson: filters in the address, results in sections by day, details and booking over the list. */
export function DiscoverScreen() {
  const search = useSearch({ strict: false }) as DiscoverSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const leave = useLeave();
  const { lesson, book, ...filters } = search;
  const found = useOpenSlots(filters as Filters);
  useLivePlaces(found.data ? found.dataUpdatedAt : 0);
  useFailureToast(found.isError, 'Failed to load available lesson slots');
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
  const readName = useCoachName(filters.coachId);
  const coachName = slots.find((slot) => slot.coachId === filters.coachId)?.coachName ?? readName;
  const held = useHeldSlots();
  const count = found.hasNextPage ? null : describeCount(slots.length);
  const isKnown = found.isSuccess && !found.isPlaceholderData;
  return (
    <>
      <h1>Find a lesson</h1>
      <p className="mt-2 text-muted-foreground">Times are London time.</p>
      <DiscoverFilters
        value={search}
        onChange={change}
        resultWords={isKnown && count ? `Show ${count}` : 'Show lessons'}
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
        <FilterChips value={search} onChange={change} coachName={coachName} />
        <div className="ml-auto hidden w-44 md:block">
          <SortChoice value={search} onChange={change} isLabelHidden />
        </div>
      </div>
      {found.isPending && <ListSkeleton />}
      {found.isError && slots.length === 0 && (
        <ErrorState
          title="Failed to load available lesson slots"
          message={found.error.message}
          onRetry={() => void found.refetch()}
          isRetrying={found.isFetching}
        />
      )}
      {isKnown && slots.length === 0 && <NoLessons filters={filters} onChange={change} />}
      <div
        aria-busy={found.isPlaceholderData}
        // Cards of a former search are about to move: a press would be lost or reach another card.
        className={cn(
          'in-[main:has([data-unsettled])]:pointer-events-none',
          found.isPlaceholderData && 'pointer-events-none opacity-60 transition-opacity delay-150',
        )}
      >
        <Sections slots={slots} isByTime={!search.sort} held={held.bySlot} />
      </div>
      <MorePages
        count={slots.length}
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        hasFailed={found.isFetchNextPageError}
        onMore={() => void found.fetchNextPage()}
      />
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

type SectionsProps = { slots: OpenSlot[]; isByTime: boolean; held: Map<string, HeldSlot> };

/** Lessons by day; by price they are one list, since a day would come up again and again. */
function Sections({ slots, isByTime, held }: SectionsProps) {
  const groups: { day: string; slots: OpenSlot[] }[] = [];
  for (const slot of slots) {
    const day = isByTime ? wallTimeOf(slot.startTime).date : '';
    const last = groups.at(-1);
    if (last?.day === day) last.slots.push(slot);
    else groups.push({ day, slots: [slot] });
  }
  return groups.map((group) => (
    <section key={group.day} className="mt-6">
      <h2 className={group.day ? 'border-b pb-2 text-base' : 'sr-only'}>
        {group.day ? formatDay(`${group.day}T12:00:00Z`, Date.now()) : 'Lessons by price'}
      </h2>
      <ul>
        {group.slots.map((slot) => (
          <SlotCard key={slot.slotId} slot={slot} hasDay={!isByTime} held={held.get(slot.slotId)} />
        ))}
      </ul>
    </section>
  ));
}

type MorePagesProps = {
  /** How many there are so far. */
  count: number;
  hasMore: boolean;
  isLoading: boolean;
  hasFailed: boolean;
  onMore: () => void;
};

/** Asks for the next page before its end comes into sight; after a failure only when the button is pressed. */
function MorePages({ count, hasMore, isLoading, hasFailed, onMore }: MorePagesProps) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  // Anew for each page: where somebody has scrolled to the new end before the browser looked, nothing has changed for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the observer tells where the end is when it begins.
  useEffect(() => {
    const { current } = end;
    if (!hasMore || isLoading || hasFailed || !current) return;
    // A busy browser delivers several entries at once, the latest last.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && more.current(), {
      rootMargin: '600px',
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [count, hasMore, isLoading, hasFailed]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="flex justify-center py-8">
      <Button variant="secondary" onClick={onMore} isLoading={isLoading} loadingText="Loading more...">
        Show more lessons
      </Button>
    </div>
  );
}

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
