import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { InstallHelp, UnblockHelp } from './push-help.tsx';
import { usePush } from './use-push.ts';

const storageKey = 'app.push-offer';

function wasDeclined(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

function storeDeclined(): void {
  try {
    localStorage.setItem(storageKey, 'declined');
  } catch {
    // If the browser forbids storage, the offer appears again after the next booking.
  }
}

/**
 * After a booking: offers push notifications on this device until they are on or the person declines. The browser asks
 * for permission only after the button is pressed.
 */
export function PushOffer() {
  const push = usePush();
  const [isDeclined, setIsDeclined] = useState(wasDeclined);
  const [wasOffered, setWasOffered] = useState(false);
  if (!push || isDeclined) return null;
  const { state, turnOn, isTurning } = push;
  const isOffered = state === 'off' || state === 'install';
  // The result of the person's answer stays on the screen. If push was already on or blocked, nothing is
  // shown.
  if (!isOffered && !wasOffered) return null;
  function decline() {
    storeDeclined();
    setIsDeclined(true);
  }
  function accept() {
    setWasOffered(true);
    turnOn();
  }
  return (
    <div className="rounded-lg border p-4 text-sm">
      <p className="font-medium">
        {state === 'on' ? 'Push notifications are on' : 'Shall we remind you on this device?'}
      </p>
      <div role="status" className="mt-1 text-muted-foreground">
        {state === 'on' && (
          <p>On this device, you'll get reminders and be notified of changes to your lessons.</p>
        )}
        {state === 'off' && (
          <p className="text-pretty">
            We'll remind you before your lessons and notify you if one changes. You can turn this off at any
            time on your account page.
          </p>
        )}
        {state === 'denied' && <UnblockHelp />}
        {state === 'install' && <InstallHelp />}
      </div>
      {isOffered && (
        <div className="mt-3 flex flex-wrap gap-3">
          {state === 'off' && (
            <Button variant="secondary" isLoading={isTurning} loadingText="One moment..." onClick={accept}>
              Turn on push notifications
            </Button>
          )}
          <Button variant="ghost" disabled={isTurning} onClick={decline}>
            No, thanks
          </Button>
        </div>
      )}
    </div>
  );
}
