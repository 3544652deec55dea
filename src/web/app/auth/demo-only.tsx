import type { ReactNode } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { useProduct } from '../api/product.ts';
import { MissingPage } from '../layout/missing-page.tsx';

/** A page that exists on the demo database only. */
export function DemoOnly({ children }: { children: ReactNode }) {
  const { isDemo, isKnown } = useProduct();
  if (!isKnown) return <PageSpinner />;
  return isDemo ? children : <MissingPage />;
}
