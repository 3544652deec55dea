import type { ReactNode } from 'react';
import { cn } from '../class-names.ts';

/** The app's main nav items at the bottom of a phone; children are links with `bottomBarLink`. Hidden from 768 px. */
export function BottomBar({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <nav
      aria-label={label}
      data-bottom-bar
      className={cn(
        'fixed inset-x-0 bottom-0 z-40 flex border-t bg-background pb-[env(safe-area-inset-bottom)] md:hidden',
        className,
      )}
    >
      {children}
    </nav>
  );
}

/**
 * Style of a link in the `BottomBar`: an icon over one word. The current page's link has `aria-current="page"`.
 */
export const bottomBarLink = cn(
  'relative flex h-16 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-xs text-muted-foreground',
  'focus-visible:-outline-offset-4 [&_svg]:size-5',
  'aria-[current=page]:font-medium aria-[current=page]:text-primary',
  'before:absolute before:inset-x-4 before:-top-px before:h-0.5 aria-[current=page]:before:bg-primary',
);
