import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import type { OpenSlot } from '#domain/catalogue/contract.ts';
import { formatDay, wallTimeOf } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useFailureToast } from '#web/ui/failure-toast.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { BookingDialog } from './booking-dialog.tsx';
import { activeFilters, DiscoverFilters, FilterChips } from './discover-filters.tsx';
import type { DiscoverSearch } from './discover-search.ts';
import { LessonDialog } from './lesson-dialog.tsx';
import { SlotCard } from './slot-card.tsx';
import { useOpenSlots } from './use-open-slots.ts';

/** Finding a lesson: filters in the address, results in sections by day, details and booking over the list. */
export function DiscoverScreen() {
  const search = useSearch({ strict: false }) as DiscoverSearch;
  const navigate = useNavigate();
  const { lesson, book, ...filters } = search;
  const found = useOpenSlots(filters as Parameters<typeof useOpenSlots>[0]);
  useFailureToast(found.isError, 'Failed to load available lesson slots');
  const change = useCallback(
    (next: Partial<Record<keyof DiscoverSearch, string | undefined>>, replace = true) =>
      void navigate({
        to: '/customer/discover',
        search: (known: DiscoverSearch) => ({ ...known, ...next }) as DiscoverSearch,
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const slots = found.data?.pages.flatMap((page) => page.slots) ?? [];
  const coachName = filters.coachId
    ? slots.find((slot) => slot.coachId === filters.coachId)?.coachName
    : undefined;
  const count = `${slots.length}${found.hasNextPage ? '+' : ''} ${slots.length === 1 && !found.hasNextPage ? 'lesson' : 'lessons'}`;
  return (
    <>
      <h1>Find a lesson</h1>
      <p className="mt-2 text-muted-foreground">Times are London time.</p>
      <div className="mt-4">
        <DiscoverFilters
          value={search}
          onChange={change}
          resultWords={found.isSuccess ? `Show ${count}` : 'Show lessons'}
        />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-muted-foreground tabular-nums">
          {found.isSuccess && slots.length > 0 && count}
        </p>
        <FilterChips value={search} onChange={change} coachName={coachName} />
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
      {found.isSuccess && slots.length === 0 && <NoResults search={search} onChange={change} />}
      {slots.length > 0 && <Sections slots={slots} isByTime={!search.sort} />}
      <MorePages
        hasMore={found.hasNextPage}
        isLoading={found.isFetchingNextPage}
        onMore={() => void found.fetchNextPage()}
      />
      {lesson && !book && (
        <LessonDialog
          slotId={lesson}
          onClose={() => change({ lesson: undefined })}
          onBook={() => change({ book: lesson, lesson: undefined })}
        />
      )}
      {book && <BookingDialog slotId={book} onClose={() => change({ book: undefined })} />}
    </>
  );
}

/** Lessons by day; by price they are one list, since a day would come up again and again. */
function Sections({ slots, isByTime }: { slots: OpenSlot[]; isByTime: boolean }) {
  const groups: { day: string; slots: OpenSlot[] }[] = [];
  for (const slot of slots) {
    const day = isByTime ? wallTimeOf(slot.startTime).date : '';
    const last = groups.at(-1);
    if (last?.day === day) last.slots.push(slot);
    else groups.push({ day, slots: [slot] });
  }
  return groups.map((group) => (
    <section key={group.day} className="mt-6">
      {group.day && (
        <h2 className="border-b pb-2 text-sm font-semibold text-muted-foreground">
          {formatDay(`${group.day}T12:00:00Z`, Date.now())}
        </h2>
      )}
      <ul>
        {group.slots.map((slot) => (
          <SlotCard key={slot.slotId} slot={slot} />
        ))}
      </ul>
    </section>
  ));
}

function NoResults({
  search,
  onChange,
}: {
  search: DiscoverSearch;
  onChange: (change: Partial<Record<keyof DiscoverSearch, string | undefined>>) => void;
}) {
  const active = activeFilters(search);
  const last = active.at(-1);
  if (!last) {
    return (
      <EmptyState title="No open lessons right now">
        Coaches publish new lessons all the time. Look in again soon.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No lessons fit these filters"
      action={
        <Button variant="secondary" onClick={() => onChange({ [last.name]: undefined })}>
          Drop {last.words}
        </Button>
      }
    >
      {active.length === 1
        ? 'Take the filter off to see every open lesson.'
        : 'Try it with one filter less, or clear them all above.'}
    </EmptyState>
  );
}

function MorePages({
  hasMore,
  isLoading,
  onMore,
}: {
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    const { current } = end;
    if (!hasMore || isLoading || !current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: '600px',
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [hasMore, isLoading]);
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
