import { Button } from '../button.tsx';
import { EmptyState } from './empty-state.tsx';
import { BrokenLine } from './pitch-lines.tsx';

type ErrorStateProps = {
  /** What could not be done: "Failed to load your bookings". */
  title: string;
  /** A sentence on why or what to try; without it we say to check the connection. */
  message?: string;
  /** Without it no button is shown. */
  onRetry?: () => void;
  isRetrying?: boolean;
  className?: string;
};

/** What a part of a page shows when its data could not be loaded, announced at once, with a way to try again. */
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
