import type { ReactNode } from 'react';

/** Text for screen readers only, where a picture or a position says the same to everyone else. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
