import type { ReactNode } from 'react';

/** Text for screen readers only, for information that sighted people get from a picture or a position. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
