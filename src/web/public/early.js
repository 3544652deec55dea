// Runs before everything else on a page: applies the theme, the font and the sign-in marker. On a page of the app that
// the server rendered, it also starts the app.
(() => {
  const root = document.documentElement;
  const { app, font, modules, session } = document.currentScript.dataset;
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }
  function store(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // If the browser forbids storage, the choice is lost when the page closes.
    }
  }

  // A coach's device keeps registers and notes of lessons until the time in their key, and only while someone is signed
  // in (bookings/register/register-copies.ts).
  try {
    for (const key of Object.keys(localStorage)) {
      const [, until] = /^app\.register\.(\d+)/.exec(key) ?? [];
      if (until && (until < Date.now() || !read('app.session'))) localStorage.removeItem(key);
    }
  } catch {
    // If the browser forbids storage, there are none.
  }

  // The attribute data-theme holds the chosen theme: light, dark or system.
  const bars = Array.from(document.querySelectorAll('meta[name="theme-color"]'), (meta) => ({
    meta,
    colour: meta.content,
    theme: meta.media.includes('dark') ? 'dark' : 'light',
  }));
  function restoreTheme() {
    const stored = read('app.theme');
    const theme = stored === 'light' || stored === 'dark' ? stored : 'system';
    if (root.dataset.theme !== theme) root.dataset.theme = theme;
  }
  function colourBars() {
    const chosen = bars.find(({ theme }) => theme === root.dataset.theme);
    for (const { meta, colour } of bars) meta.content = chosen?.colour ?? colour;
  }
  restoreTheme();
  colourBars();
  addEventListener('storage', restoreTheme);
  // The menu's own script may not have loaded yet, and public pages have none. Captured, because React stops events in
  // parts that it can't hydrate yet.
  addEventListener(
    'change',
    ({ target }) => {
      if (target.closest('[data-theme-choice]')) root.dataset.theme = target.value;
    },
    true,
  );
  new MutationObserver(() => {
    colourBars();
    store('app.theme', root.dataset.theme);
  }).observe(root, { attributeFilter: ['data-theme'] });

  // A first visit starts in one of the device's fonts, because the browser would hide the text while ours
  // loads.
  if (font && read('app.font') !== font) {
    root.style.setProperty('--font-sans', '"Inter Fallback", "Inter Fallback Roboto", system-ui, sans-serif');
    const replace = () => {
      root.style.removeProperty('--font-sans');
      store('app.font', font);
    };
    addEventListener('load', () =>
      setTimeout(() => document.fonts.load('1em "Inter Variable"').then(replace, () => {}), 300),
    );
  }

  if (session) {
    const markSignedIn = () => root.toggleAttribute('data-signed-in', read(session) !== null);
    markSignedIn();
    // The scripts of a page for signed-in people.
    for (const href of read(session) === null ? [] : (modules ?? '').split(' ').filter(Boolean)) {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    }
    addEventListener('storage', markSignedIn);
    addEventListener('pageshow', markSignedIn);
  }

  // The app starts after the first paint of a server-rendered page.
  if (!app) return;
  // A button pressed before the app responds is pressed again once the app responds (main.tsx changes the attribute).
  const pressed = new Set();
  const note = ({ target }) => {
    const button = target.closest('[data-server-rendered=""] button');
    if (button) pressed.add(button);
  };
  addEventListener('click', note, true);
  // Otherwise the browser would submit the form, with the typed text, to this page's URL.
  const keep = (event) => event.target.closest('[data-server-rendered]') && event.preventDefault();
  addEventListener('submit', keep, true);
  const repeat = new MutationObserver(([{ target }]) => {
    if (target.hasAttribute('data-server-rendered')) return;
    repeat.disconnect();
    removeEventListener('click', note, true);
    removeEventListener('submit', keep, true);
    for (const button of pressed) button.click();
  });
  addEventListener('DOMContentLoaded', () =>
    repeat.observe(document.getElementById('root'), { attributeFilter: ['data-server-rendered'] }),
  );
  const begin = () => {
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', crossOrigin: '', src: app });
    document.head.append(script);
  };
  addEventListener('DOMContentLoaded', () =>
    document.hidden ? begin() : requestAnimationFrame(() => setTimeout(begin)),
  );
})();
