import type { ReactNode } from 'react';

/** Words for screen readers alone, where the eye has a picture or a position instead. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
