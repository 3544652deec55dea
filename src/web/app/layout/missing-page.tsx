import { Suspense } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { lazyPart } from '../api/lazy-part.ts';

const NotFoundScreen = lazyPart(async () => (await import('./not-found.tsx')).NotFoundScreen);

/** What stands where the product has no page; fetched then, since hardly anybody ever sees it. */
export function MissingPage() {
  return (
    <Suspense fallback={<PageSpinner />}>
      <NotFoundScreen />
    </Suspense>
  );
}
