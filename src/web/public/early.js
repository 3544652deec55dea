// What has to be known or begun before the app is there. A file of its own, because the content security policy allows no
// inline script but those whose hash it names, as it does for this one in the pages that the server draws.
(() => {
  const root = document.documentElement;
  const grounds = { light: '#fbfaf7', dark: '#0b1511' };
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  // The stored theme, from the first paint on.
  function applyTheme() {
    const choice = read('app.theme');
    const theme = choice === 'light' || choice === 'dark' ? choice : 'system';
    root.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.content = grounds[theme] ?? grounds[meta.media.includes('dark') ? 'dark' : 'light'];
    }
  }
  applyTheme();
  addEventListener('storage', applyTheme);
  addEventListener('app:theme', applyTheme);

  const { app, font } = document.currentScript.dataset;
  // A first visit begins in the system's font, because the browser would hold the text back for ours. Ours replaces it once
  // it is there; the fallbacks have its metrics, so no line moves.
  if (font && read('app.font') !== font) {
    root.style.setProperty('--font-sans', '"Inter Fallback", "Inter Fallback Roboto", system-ui, sans-serif');
    const replace = () => {
      root.style.removeProperty('--font-sans');
      localStorage.setItem('app.font', font);
    };
    addEventListener('load', () =>
      setTimeout(() => document.fonts.load('1em "Inter Variable"').then(replace, () => {}), 300),
    );
  }

  // The app, once what the server drew can be read: the paint would wait for its scripts otherwise.
  if (!app) return;
  // The key of session.ts.
  root.toggleAttribute('data-signed-in', read('app.session') !== null);
  const begin = () => {
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', crossOrigin: '', src: app });
    document.head.append(script);
  };
  addEventListener('DOMContentLoaded', () =>
    document.hidden ? begin() : requestAnimationFrame(() => setTimeout(begin)),
  );
})();
