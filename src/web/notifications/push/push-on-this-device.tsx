import { Button } from '#web/ui/button.tsx';
import { InstallHelp, UnblockHelp } from './push-help.tsx';
import { usePush } from './use-push.ts';

/** In the preferences: whether this browser gets push notifications, and how to change that. */
export function PushOnThisDevice() {
  const push = usePush();
  if (!push) return null;
  const { state, turnOn, turnOff, isTurning } = push;
  return (
    <section aria-labelledby="push" className="mb-8 rounded-lg border p-4 text-sm">
      <h3 id="push" className="text-base font-medium">
        Push notifications on this device
      </h3>
      <div role="status" className="mt-1 text-muted-foreground">
        {state === 'on' && (
          <p className="text-pretty">Push notifications are on. Signing out turns them off on this device.</p>
        )}
        {state === 'off' && (
          <p className="text-pretty">
            See reminders and changes to your lessons even when the app is closed. Push notifications name the
            lesson and its time, but no people.
          </p>
        )}
        {state === 'denied' && <UnblockHelp />}
        {state === 'install' && <InstallHelp />}
        {state === 'unsupported' && (
          <p>This browser can't show push notifications. Emails aren't affected.</p>
        )}
      </div>
      {(state === 'on' || state === 'off') && (
        <Button
          variant="secondary"
          className="mt-3"
          isLoading={isTurning}
          loadingText="One moment..."
          onClick={state === 'on' ? turnOff : turnOn}
        >
          {state === 'on' ? 'Turn off on this device' : 'Turn on push notifications'}
        </Button>
      )}
    </section>
  );
}
