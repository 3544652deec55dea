import { useMatches } from '@tanstack/react-router';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says that the browser is offline. It is loaded after the page, while there is still a connection. */
export function OfflineHint() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // Notes stay on the device until the server has them (progress/note-outbox.ts).
  const areNotes = useMatches({
    select: (matches) => matches.at(-1)?.fullPath === '/coach/registers/$slotId/notes',
  });
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-sm text-warning">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You're offline. This page may be out of date
          {areNotes
            ? ". We'll send your notes later, but you can't save other changes."
            : ", and you can't save changes."}
        </p>
      )}
    </div>
  );
}
