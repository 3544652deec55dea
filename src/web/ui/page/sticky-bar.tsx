import { type ReactNode, useEffect, useRef } from 'react';

/**
 * The height of three stacked toasts, in pixels. Toasts move above the bar if the bar's lower edge is less than this
 * distance above the window's lower edge.
 */
const toastStack = 280;

/**
 * A bar that stays at the bottom of the window, above the `BottomBar`, while its section is visible. Toasts appear
 * above the bar (toast-region.tsx).
 */
export function StickyBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = document.documentElement;
    function lift() {
      const { top, bottom } = bar.current!.getBoundingClientRect();
      const isInTheWay = top < innerHeight && bottom > innerHeight - toastStack;
      root.style.setProperty('--toast-lift', isInTheWay ? `${Math.round(innerHeight - top)}px` : '0px');
    }
    const sizes = new ResizeObserver(lift);
    sizes.observe(bar.current!);
    sizes.observe(document.body);
    addEventListener('scroll', lift, { passive: true });
    addEventListener('resize', lift);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', lift);
      removeEventListener('resize', lift);
      root.style.removeProperty('--toast-lift');
    };
  }, []);
  return (
    <div
      ref={bar}
      className="sticky bottom-(--bottom-bar) z-20 -mx-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t bg-background px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:px-0"
    >
      {children}
    </div>
  );
}
