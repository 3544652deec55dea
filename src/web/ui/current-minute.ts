import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;
const startOfMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;

function subscribe(onChange: () => void) {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(
      () => {
        onChange();
        wait();
      },
      startOfMinute() + minuteMs - Date.now() + 20,
    );
  };
  wait();
  // Timers run late in a background tab; the listener corrects the time as soon as the tab is visible again.
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}

/** The start of the current minute, in ms since 1970; re-renders when the next minute starts. */
export function useCurrentMinute(): number {
  return useSyncExternalStore(subscribe, startOfMinute);
}
