import { Button } from '../button.tsx';
import { EmptyState } from './empty-state.tsx';
import { BrokenLine } from './pitch-lines.tsx';

type ErrorStateProps = {
  /** What failed: "Failed to load your bookings". */
  title: string;
  /** A sentence on the cause or on what to try. The default suggests checking the connection. */
  message?: string;
  /** Called by the retry button; without `onRetry` there is no button. */
  onRetry?: () => void;
  isRetrying?: boolean;
  className?: string;
};

/** Shown if the data for a part of a page could not be loaded; announced immediately. `onRetry` adds a retry button. */
export function ErrorState({ title, message, onRetry, isRetrying = false, className }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        illustration={<BrokenLine />}
        className={className}
        action={
          onRetry && (
            <Button
              variant="secondary"
              onClick={onRetry}
              isLoading={isRetrying}
              loadingText="Trying again..."
            >
              Try again
            </Button>
          )
        }
      >
        {message ?? 'Check your connection and try again.'}
      </EmptyState>
    </div>
  );
}
