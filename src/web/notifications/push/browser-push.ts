import type { InputOf } from '#domain/endpoint.ts';
import type { pushApi } from '#domain/notifications/push-contract.ts';

type Subscription = InputOf<typeof pushApi.subscribe>;

/**
 * This browser's support for push: `off` if it can ask for permission or has permission, `denied` if the
 * person has refused permission, `install` in a browser on an iPhone or iPad, which allows push only for
 * installed apps, and `unsupported` in any other browser.
 */
export type PushSupport = 'off' | 'denied' | 'install' | 'unsupported';

export function readPushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) {
    return Notification.permission === 'denied' ? 'denied' : 'off';
  }
  return isAppleMobile() ? 'install' : 'unsupported';
}

/** iPads say that they are Macs, but no Mac has a touch screen. */
const isAppleMobile = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Whether the browser lets the app show notifications. */
export const isPermitted = () => 'Notification' in window && Notification.permission === 'granted';

/** Calls `onChange` when the permission changes in the browser's settings. Returns a function that stops watching. */
export function watchPermission(onChange: () => void): () => void {
  let status: PermissionStatus | undefined;
  let isOver = false;
  void navigator.permissions?.query({ name: 'notifications' }).then(
    (found) => {
      if (isOver) return;
      status = found;
      status.addEventListener('change', onChange);
    },
    // Some browsers don't support this query. The page then reads the permission only when it opens.
    () => {},
  );
  return () => {
    isOver = true;
    status?.removeEventListener('change', onChange);
  };
}

/**
 * Asks for permission and subscribes this browser with the public VAPID key. Returns null if the person doesn't give
 * permission. Rejects if the browser's push service can't be reached. Call this in a click handler; otherwise browsers
 * refuse to ask.
 */
export async function subscribeBrowser(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await navigator.serviceWorker.register('/push-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf(publicKey);
  const earlier = await pushManager.getSubscription();
  if (earlier && !isSame(earlier.options.applicationServerKey, applicationServerKey))
    await earlier.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  ).toJSON();
  return { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
}

/**
 * In the demo only: subscribes with the simulated push service, for browsers that can't reach their own push
 * service. Throws if the simulated service refuses.
 */
export async function subscribeAtStandIn(): Promise<Subscription> {
  const response = await fetch('/sandbox/push-subscriptions', { method: 'POST' });
  if (!response.ok) throw new Error(`The simulated push service responded with ${response.status}`);
  return (await response.json()) as Subscription;
}

/** Ends the browser's own subscription, so that its push service deletes the subscription too. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/push-worker.js');
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function isSame(buffer: ArrayBuffer | null, bytes: Uint8Array): boolean {
  const other = new Uint8Array(buffer ?? new ArrayBuffer(0));
  return other.length === bytes.length && other.every((byte, index) => byte === bytes[index]);
}
