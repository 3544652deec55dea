// The script of the pages in src/site; runs after early.js. It is a plain script in the head, without imports, so that
// it runs before the first paint: for a signed-in person the app replaces the landing page.
(() => {
  const root = document.documentElement;
  const { app, appModules, appStyles } = document.currentScript?.dataset ?? {};

  const isSignedIn = () => 'signedIn' in root.dataset;

  function addLink(rel: string, href: string, as = ''): HTMLLinkElement {
    const link = document.createElement('link');
    link.rel = rel;
    link.href = href;
    if (as) link.as = as;
    document.head.append(link);
    return link;
  }

  const listOf = (text: string | undefined) => text?.split(' ').filter(Boolean) ?? [];

  async function handOver(script: string): Promise<void> {
    root.dataset.handingOver = '';
    for (const href of [script, ...listOf(appModules)]) addLink('modulepreload', href);
    for (const href of listOf(appStyles)) addLink('preload', href, 'style');
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    // Added only now, so that the app's styles come after those of this page and override them.
    const styles = listOf(appStyles).map((href) => addLink('stylesheet', href));
    await Promise.all(
      styles.map(
        (link) =>
          new Promise((done) => {
            link.onload = done;
            // A style sheet that fails to load must not keep the app from starting.
            link.onerror = done;
          }),
      ),
    );
    const start = document.createElement('script');
    start.type = 'module';
    start.src = script;
    document.head.append(start);
  }

  function noticeSession(): void {
    if (app && isSignedIn()) location.reload();
  }

  function showTheme(): void {
    for (const input of document.querySelectorAll<HTMLInputElement>('[data-theme-choice] input')) {
      input.checked = input.value === root.dataset.theme;
    }
  }

  if (app && isSignedIn()) {
    void handOver(app);
    return;
  }
  addEventListener('storage', noticeSession);
  addEventListener('pageshow', ({ persisted }) => persisted && noticeSession());

  document.addEventListener('DOMContentLoaded', showTheme);
  addEventListener('storage', showTheme);
  new MutationObserver(showTheme).observe(root, { attributeFilter: ['data-theme'] });

  const findOpenMenu = () => document.querySelector<HTMLDetailsElement>('details[data-theme-menu][open]');
  document.addEventListener('click', ({ target }) => {
    const menu = findOpenMenu();
    if (menu && !menu.contains(target as Node)) menu.open = false;
  });
  document.addEventListener('keydown', ({ key }) => {
    const menu = key === 'Escape' ? findOpenMenu() : null;
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
})();
