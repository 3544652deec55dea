import { lazy, Suspense } from 'react';

// Comes with the region, so that the first toast of all needs no connection: it may say that there is none.
type Toast = typeof import('sonner').toast;
let announceReady: (toast: Toast) => void = () => {};
const ready = new Promise<Toast>((resolve) => {
  announceReady = resolve;
});

const ToastRegion = lazy(() => import('./toast-region.tsx'));

/** The place where toasts appear, once per app: bottom right, three at most, four seconds each. Loaded after first paint. */
export function Toaster() {
  return (
    <Suspense fallback={null}>
      <ToastRegion onReady={announceReady} />
    </Suspense>
  );
}

type ToastAction = { label: string; onClick: () => void };

async function show(
  kind: 'success' | 'error',
  title: string,
  description: string | undefined,
  action?: ToastAction,
) {
  const toast = await ready;
  toast[kind](title, { description, action });
}

/** Confirms something that was done: "Lesson saved"; `action` takes it back where that is possible. */
export function toastSuccess(title: string, description?: string, action?: ToastAction) {
  void show('success', title, description, action);
}

/** Says that something failed, in a sentence the person can act on, under a title ("Error" unless told). */
export function toastError(message: string, title = 'Error') {
  void show('error', title, message);
}
