import { Suspense } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { lazyPart } from '../api/lazy-part.ts';

const NotFoundScreen = lazyPart(async () => (await import('./not-found.tsx')).NotFoundScreen);

/** The 404 page; loaded lazily, since hardly anyone sees it. */
export function MissingPage() {
  return (
    <Suspense fallback={<PageSpinner />}>
      <NotFoundScreen />
    </Suspense>
  );
}
