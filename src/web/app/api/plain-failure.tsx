import { Button } from '#web/ui/button.tsx';

type PlainFailureProps = { title: string; message: string; onRetry: () => void };

/** A fault that takes the whole page; plainer than `ErrorState`, since it must be there when nothing more can be fetched. */
export function PlainFailure({ title, message, onRetry }: PlainFailureProps) {
  return (
    <div role="alert" className="flex grow flex-col items-center justify-center px-4 py-12 text-center">
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      <p className="mt-1.5 mb-6 max-w-[44ch] text-sm text-muted-foreground">{message}</p>
      <Button variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
