import type { AppError } from '#domain/errors.ts';
import { DialogBody } from '#web/ui/overlay/dialog.tsx';
import { ErrorState } from '#web/ui/page/error-state.tsx';

/** In a dialog: a lesson that does not exist, or could not be fetched. */
export function LessonNotShown({
  failure,
}: {
  failure: { error: AppError; isFetching: boolean; refetch: () => unknown };
}) {
  const { error, isFetching, refetch } = failure;
  const isMissing = error.status === 404 || error.status === 422;
  return (
    <DialogBody>
      {isMissing ? (
        <p className="text-sm">This lesson does not exist, or is no longer offered.</p>
      ) : (
        <ErrorState
          title="Failed to load the lesson"
          message={error.message}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="py-6"
        />
      )}
    </DialogBody>
  );
}
