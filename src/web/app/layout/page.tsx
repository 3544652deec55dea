import type { ReactNode } from 'react';

/** Width and margins of a page; every screen inside the areas' layouts starts with its heading and brings none. */
export function Page({ children }: { children: ReactNode }) {
  return <div className="mx-auto flex w-full max-w-page grow flex-col px-4 py-6 md:py-10">{children}</div>;
}
