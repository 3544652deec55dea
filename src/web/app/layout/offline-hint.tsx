import { useSyncExternalStore } from 'react';
import { WifiOff } from '#web/ui/page/early-icons.tsx';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says that the device has no connection, for as long as it has none. */
export function OfflineHint() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-sm text-warning">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You're offline. What you see may be out of date, and nothing can be saved.
        </p>
      )}
    </div>
  );
}
