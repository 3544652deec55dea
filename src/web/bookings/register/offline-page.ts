const listPage = '/coach/registers';
const cacheName = 'registers';

/**
 * Caches the app's files for the register in this browser, and starts the service worker that serves them without a
 * connection (public/register-worker.js). `scripts/register-files.mjs` lists the files. Does nothing if the browser has
 * no service workers, as in some private windows; the register then needs a connection.
 */
export async function keepPageOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window) || import.meta.env.DEV) return;
  const response = await fetch('/register-files.json', { cache: 'no-cache' });
  if (!response.ok) return;
  const files: string[] = await response.json();
  const cache = await caches.open(cacheName);
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  // The other files' names contain a hash of their content, so only the page and `early.js` can change.
  const missing = files.filter((file) => !kept.includes(file));
  await cache.addAll([listPage, '/early.js', ...missing]);
  for (const file of kept) {
    if (![listPage, '/early.js', ...files].includes(file)) await cache.delete(file);
  }
  await navigator.serviceWorker.register('/register-worker.js', { scope: '/coach/' });
}
