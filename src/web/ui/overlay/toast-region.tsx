import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { useThemeChoice } from '../page/theme-switch.tsx';
import { useIsSmallScreen } from '../small-screen.ts';

/**
 * The app's one toast region: at most three toasts, four seconds each. `onReady` is called with the function that shows a
 * toast, but only after the region is mounted, because earlier toasts would be lost.
 */
export function ToastRegion({ onReady }: { onReady: (show: typeof toast) => void }) {
  const [theme] = useThemeChoice();
  const isSmall = useIsSmallScreen();
  useEffect(() => onReady(toast), [onReady]);
  return (
    <Sonner
      theme={theme}
      // On a phone, toasts at the bottom would cover buttons; at the top they leave the menu button free.
      position={isSmall ? 'top-center' : 'bottom-right'}
      visibleToasts={3}
      duration={4000}
      containerAriaLabel="Notices"
      closeButton={false}
      // A bar at the bottom of the page sets the offset (sticky-bar.tsx).
      offset={{ bottom: 'calc(1.5rem + var(--toast-lift, 0px))' }}
      mobileOffset={{ top: '0.5rem', left: '0.5rem', right: '4.25rem' }}
      // Without this, a pointer resting on a toast would keep the toast open. Presses go through to the content below.
      style={{ pointerEvents: 'none' }}
      toastOptions={{
        className: 'pointer-events-none!',
        classNames: { actionButton: 'pointer-events-auto' },
      }}
      icons={{
        success: <CircleCheck aria-hidden className="size-5" />,
        error: <CircleAlert aria-hidden className="size-5" />,
      }}
    />
  );
}
