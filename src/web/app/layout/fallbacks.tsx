import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { Button } from '#web/ui/button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

type PlainFailureProps = { title: string; message: string; onRetry: () => void };

/**
 * Shown if a whole page fails; plainer than `ErrorState`, because it must render even if nothing more can be
 * loaded.
 */
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

/** Shown instead of a page that failed to render; the person can try again. */
export function FailureScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => console.error('Page error', error), [error]);
  async function retry() {
    await router.invalidate();
    reset();
  }
  return (
    <PlainFailure
      title="This page couldn't be shown"
      message="Something went wrong on this page. Try again, or reload the page."
      onRetry={retry}
    />
  );
}

const NotFoundScreen = lazyPart(() => import('./not-shown.tsx'), 'NotFoundScreen');

/** The 404 page; loaded lazily, since hardly anyone sees it. */
export function MissingPage() {
  return (
    <Suspense fallback={<PageSpinner />}>
      <NotFoundScreen />
    </Suspense>
  );
}
