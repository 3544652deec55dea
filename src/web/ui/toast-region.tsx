import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { useThemeChoice } from './theme-switch.tsx';

/** The library's toast region in our clothes; `onReady` gets what shows one once it listens: earlier ones would be lost. */
export default function ToastRegion({ onReady }: { onReady: (show: typeof toast) => void }) {
  const [theme] = useThemeChoice();
  useEffect(() => onReady(toast), [onReady]);
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      visibleToasts={3}
      duration={4000}
      containerAriaLabel="Notices"
      closeButton={false}
      // A bar at the foot of the page says how far up (sticky-bar.tsx).
      offset={{ bottom: 'calc(1.5rem + var(--toast-lift, 0px))' }}
      mobileOffset={{ bottom: 'max(4.5rem + env(safe-area-inset-bottom), 0.5rem + var(--toast-lift, 0px))' }}
      icons={{
        success: <CircleCheck aria-hidden className="size-5" />,
        error: <CircleAlert aria-hidden className="size-5" />,
      }}
    />
  );
}
