import { useEffect, useState } from 'react';

/** `message`: why the person has to wait; `retryAt`: when the next attempt is allowed, in ms since 1970. */
export type Wait = { message: string; retryAt: number };

/** Formats a duration as m:ss if it is under an hour, otherwise as h:mm:ss. */
function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}

/** Explains why the person has to wait and counts down the time left; renders nothing once the time is up. */
export function WaitNotice({ wait }: { wait: Wait | null }) {
  const retryAt = wait?.retryAt ?? 0;
  const [now, setNow] = useState(Date.now());
  const left = retryAt - now;
  useEffect(() => {
    if (!retryAt) return;
    setNow(Date.now());
    const ticking = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= retryAt) clearInterval(ticking);
    }, 1000);
    return () => clearInterval(ticking);
  }, [retryAt]);
  if (left <= 0) return null;
  return (
    <div className="rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning">
      <p role="alert">{wait?.message}</p>
      <p className="mt-1 font-medium">
        Time left:{' '}
        <span role="timer" className="tabular-nums">
          {formatLeft(left)}
        </span>
      </p>
    </div>
  );
}
