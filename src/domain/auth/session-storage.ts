/**
 * The localStorage key under which the browser keeps a session. Pages rendered on the server pass it to early.js,
 * which marks the page as signed in before the first paint.
 */
export const sessionStorageKey = 'app.session';
