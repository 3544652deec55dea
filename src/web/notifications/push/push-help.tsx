import { useProduct } from '#web/app/api/product.ts';

/** How to install the app on an iPhone or iPad, which shows push notifications only from installed apps. */
export function InstallHelp() {
  return (
    <>
      <p className="text-pretty">
        On an iPhone or iPad, notifications need the app on your Home Screen (iOS 16.4 or later):
      </p>
      <ol className="mt-2 list-decimal space-y-1 pl-5">
        <li>Tap Share, then “Add to Home Screen”.</li>
        <li>Open the app from your Home Screen and sign in.</li>
        <li>Go to Account, Notifications, and turn on push notifications.</li>
      </ol>
    </>
  );
}

/** How to allow notifications that the person has blocked, because no page can ask again. */
export function UnblockHelp() {
  const { brand } = useProduct();
  return (
    <p className="text-pretty">
      Notifications from {brand} are blocked on this device. {unblockSteps(navigator.userAgent, brand)}
    </p>
  );
}

function unblockSteps(userAgent: string, brand: string): string {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return `To allow them, open the Settings app, tap Notifications, choose ${brand} and turn on Allow Notifications.`;
  }
  if (/Firefox\//.test(userAgent)) {
    return 'To allow them, click the icon to the left of the address, clear the block beside “Send notifications”, and press the button that then appears here.';
  }
  if (/Safari\//.test(userAgent) && !/Chrome\/|Chromium\//.test(userAgent)) {
    return 'To allow them, open Safari’s Settings, Websites, Notifications, and choose Allow beside this website.';
  }
  return 'To allow them, press the icon to the left of the address, open the site’s permissions or settings, and set Notifications to Allow.';
}
