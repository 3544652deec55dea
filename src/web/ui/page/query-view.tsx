import type { ReactNode } from 'react';
import { useFailureToast } from '../overlay/failure-toast.ts';
import { ErrorState } from './error-state.tsx';

/** The state of a query to the server, as TanStack Query returns it. */
export type QueryState<Data> = {
  data: Data | undefined;
  error: (Error & { code?: string }) | null;
  isFetching: boolean;
  refetch: () => unknown;
};

type QueryViewProps<Data> = {
  query: QueryState<Data>;
  /** A placeholder in the shape of the content. */
  skeleton: ReactNode;
  /** The toast and heading after a failure: "Failed to load your bookings". */
  failure: string;
  /** True for a part of a page or a dialog; the failure is then shown smaller and without a toast. */
  isPart?: boolean;
  /** Shown if the server has no such record, even for a malformed id; by default, `failure` is shown instead. */
  missing?: ReactNode;
  /** Wraps the failure; for content that sets its own margins. */
  frame?: (failure: ReactNode) => ReactNode;
  isEmpty?: (data: Data) => boolean;
  /** Shown instead of empty data. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
};

const missingCodes = ['not_found', 'bad_request', 'unprocessable'];

/** Renders a query in each of its states: loading, failed (with a retry button), missing, empty or loaded. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, skeleton, failure, isPart = false, missing, frame, isEmpty, empty, children } = props;
  const { data, error, isFetching, refetch } = query;
  const isMissing = missing !== undefined && missingCodes.includes(error?.code ?? '');
  useFailureToast(error !== null && !isMissing && !isPart, failure);
  if (data !== undefined) return isEmpty?.(data) ? empty : children(data);
  if (error === null) return skeleton;
  if (isMissing) return missing;
  const shown = (
    <ErrorState
      title={failure}
      message={error.message}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
      className={isPart ? 'py-6' : undefined}
    />
  );
  return frame ? frame(shown) : shown;
}
