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
  // Timers of a page in the background are late; on return the time is right at once.
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}

/** The beginning of the minute it is now, in milliseconds since 1970; renders again when the next one begins. */
export function useCurrentMinute(): number {
  return useSyncExternalStore(subscribe, startOfMinute);
}
