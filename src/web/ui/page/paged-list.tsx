import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { type QueryState, QueryView } from './query-view.tsx';

/** The part of a paged query that the button for the next page needs. */
type NextPage = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};

type PagedListProps<Item> = {
  /** The return value of `usePages`. */
  found: QueryState<unknown> & NextPage & { items: Item[]; isPlaceholderData: boolean };
  /** A placeholder in the shape of the list. */
  skeleton: ReactNode;
  /** "Failed to load users": the toast and the heading if the list cannot be fetched. */
  failure: string;
  /** Shown instead of an empty list. */
  empty: ReactNode;
  /** The label of the button for the next page: "Show more users". */
  more: string;
  /** Renders the items of all pages loaded so far. */
  children: (items: Item[]) => ReactNode;
};

/**
 * A list that is fetched page by page: a placeholder while it is loading, an error with a retry button, a text if it is
 * empty, or the rows and a button for the next page. While the list shows the results of a previous search, it ignores
 * presses: the rows are about to move, and a press would be lost or land on another row.
 */
export function PagedList<Item>({ found, skeleton, failure, empty, more, children }: PagedListProps<Item>) {
  const { items, isPlaceholderData } = found;
  return (
    <QueryView
      query={found}
      skeleton={skeleton}
      failure={failure}
      isEmpty={() => items.length === 0}
      empty={empty}
    >
      {() => (
        <>
          <div
            className={cn(
              'contents in-[main:has([data-unsettled])]:pointer-events-none',
              isPlaceholderData && 'pointer-events-none',
            )}
          >
            {children(items)}
          </div>
          <MoreButton found={found} label={more} />
        </>
      )}
    </QueryView>
  );
}

/**
 * The button that fetches the next page; renders nothing after the last page. If a page cannot be fetched, the button
 * stays, below a message. `isAuto`: fetches automatically before the end of the list becomes visible; after a failure
 * only when pressed.
 */
export function MoreButton({
  found,
  label,
  isAuto = false,
}: {
  found: NextPage & { items: readonly unknown[] };
  label: string;
  isAuto?: boolean;
}) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, items } = found;
  const end = useRef<HTMLDivElement>(null);
  const fetchMore = useRef(fetchNextPage);
  fetchMore.current = fetchNextPage;
  const isWatched = isAuto && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each page, because the observer reports only changes and the new end may be visible from the start.
  useEffect(() => {
    const { current } = end;
    if (!isWatched || !current) return;
    const observer = new IntersectionObserver(
      // A busy browser reports several entries together, with the latest entry last.
      (entries) => entries.at(-1)?.isIntersecting && void fetchMore.current(),
      { rootMargin: '600px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWatched, items.length]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="flex flex-col items-center gap-3 py-6">
      {isFetchNextPageError && (
        <p role="alert" className="text-sm text-muted-foreground">
          We couldn't load more.
        </p>
      )}
      <Button
        variant="secondary"
        onClick={() => void fetchNextPage()}
        isLoading={isFetchingNextPage}
        loadingText="Loading more..."
      >
        {label}
      </Button>
    </div>
  );
}
