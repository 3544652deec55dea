// Opens the registers of lessons without a connection. It serves the app's own files, which the page has cached
// (bookings/register/offline-page.ts). It never serves responses of the API, because registers are in the page's own
// storage.
const listPage = '/coach/registers';
/** Timeout of a register's page over a weak connection, in ms. */
const timeoutMs = 4_000;

addEventListener('install', () => self.skipWaiting());
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(openPage(request, pathname));
  else if (pathname.startsWith('/assets/')) event.respondWith(readFile(request));
  else if (pathname === '/early.js') event.respondWith(fetch(request).catch(() => cached(request)));
});

const cached = (request) =>
  caches.match(request, { ignoreVary: true }).then((found) => found ?? Response.error());

/** Files under /assets/ never change. */
const readFile = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

/** Without a connection, any page of the coach's area opens the registers on this device. */
async function openPage(request, pathname) {
  const isRegister = pathname.startsWith(listPage);
  const page = fetch(request);
  try {
    return await (isRegister ? Promise.race([page, timeOut()]) : page);
  } catch {
    const kept = await caches.match(listPage, { ignoreVary: true });
    if (!kept) return page;
    return isRegister ? kept : Response.redirect(listPage);
  }
}

const timeOut = () => new Promise((_, reject) => setTimeout(reject, timeoutMs));
