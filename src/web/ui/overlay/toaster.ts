// The library loads with the region, before it is needed: the first toast may report that there is no connection.
type Toast = typeof import('sonner').toast;

/** Call this with the library's function once the toast region is mounted. Earlier toasts wait for it. */
export let announceReady: (toast: Toast) => void = () => {};
const ready = new Promise<Toast>((resolve) => {
  announceReady = resolve;
});

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

/** Confirms a completed action: "Lesson saved"; `action` is an optional button, such as "Undo". */
export function toastSuccess(title: string, description?: string, action?: ToastAction) {
  void show('success', title, description, action);
}

/** Says that something failed, in a sentence the person can act on, under a title ("Error" by default). */
export function toastError(message: string, title = 'Error') {
  void show('error', title, message);
}
