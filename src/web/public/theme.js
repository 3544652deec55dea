// Sets the stored theme before the first paint. A file of its own because the content security policy allows no inline script.
(() => {
  const grounds = { light: '#fbfaf7', dark: '#0b1511' };
  function apply() {
    let choice = null;
    try {
      choice = localStorage.getItem('touchline.theme');
    } catch {}
    const theme = choice === 'light' || choice === 'dark' ? choice : 'system';
    document.documentElement.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.content = grounds[theme] ?? grounds[meta.media.includes('dark') ? 'dark' : 'light'];
    }
  }
  apply();
  addEventListener('storage', apply);
  addEventListener('touchline:theme', apply);
})();
