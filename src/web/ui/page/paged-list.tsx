import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { useFailureToast } from '../overlay/failure-toast.ts';
import { ErrorState } from './error-state.tsx';

type PagedListProps = {
  /** A paged query, as TanStack Query's `useInfiniteQuery` returns it. */
  found: {
    isPending: boolean;
    isError: boolean;
    isFetching: boolean;
    isFetchingNextPage: boolean;
    hasNextPage: boolean;
    isPlaceholderData: boolean;
    error: Error | null;
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  /** Nothing was found so far. */
  isEmpty: boolean;
  /** The shape of what comes. */
  skeleton: ReactNode;
  /** "Failed to load users": toast and heading if the first page cannot be read. */
  failure: string;
  /** Shown instead of an empty list. */
  empty: ReactNode;
  /** The label of the button for the next page: "Show more users". */
  more: string;
  /** The list itself. */
  children: ReactNode;
};

/**
 * A list that is read page by page, in all of its states: loading, failed with retry, empty, shown, more to come.
 * While it shows the results of a previous search it ignores presses: the rows are about to move, and a press would
 * be lost or hit another row.
 */
export function PagedList({ found, isEmpty, skeleton, failure, empty, more, children }: PagedListProps) {
  useFailureToast(found.isError, failure);
  if (found.isPending) return skeleton;
  if (found.isError && isEmpty) {
    return (
      <ErrorState
        title={failure}
        message={found.error?.message}
        onRetry={() => void found.refetch()}
        isRetrying={found.isFetching}
      />
    );
  }
  if (isEmpty) return empty;
  return (
    <>
      <div
        className={cn(
          'contents in-[main:has([data-unsettled])]:pointer-events-none',
          found.isPlaceholderData && 'pointer-events-none',
        )}
      >
        {children}
      </div>
      {found.hasNextPage && (
        <div className="flex justify-center py-6">
          <Button
            variant="secondary"
            onClick={() => void found.fetchNextPage()}
            isLoading={found.isFetchingNextPage}
            loadingText="Loading more..."
          >
            {more}
          </Button>
        </div>
      )}
    </>
  );
}
