// Shows push notifications, even while the app is closed, and opens the page of a notification that is clicked. The
// worker handles no requests and stores nothing: every page comes from the server, and the worker leaves no personal
// data on a shared computer.
addEventListener('install', () => self.skipWaiting());

addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json();
  const options = { body, tag, data: { path }, lang: 'en-GB', icon: '/icons/icon-192.png' };
  event.waitUntil(self.registration.showNotification(title, options));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function open(path) {
  const { origin, href } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href);
  await (shown ? shown.focus() : self.clients.openWindow(href));
}
