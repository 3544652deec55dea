import type { ReactNode } from 'react';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { MissingPage } from './missing-page.tsx';
import { useProduct } from './product.ts';

/** A page that exists on the demo database only. */
export function DemoOnly({ children }: { children: ReactNode }) {
  const { isDemo, isKnown } = useProduct();
  if (!isKnown) return <PageSpinner />;
  return isDemo ? children : <MissingPage />;
}
