import { join } from 'node:path';
import { writeStructuredData } from '#domain/script-data.ts';
import { readCss, type WebAssets } from '../http/web-assets.ts';
import { packageRoot } from '../package-root.ts';

/** A response of the API in the app's cache: the operation id with the input, the data, and `at` in ms since 1970. */
export type DehydratedQuery = { key: readonly unknown[]; data: unknown; at: number };

const folder = join(packageRoot, 'dist', 'web');

const preload = (href: string) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="${href}">`;

/**
 * Prepares the app's page for a screen that the server renders. The page contains everything for the first paint and
 * loads the scripts afterwards: the app's, and `modules`. `storageKey` is where the browser keeps the session.
 */
export function prepareAppPage(
  page: string,
  {
    assets: { early, app },
    modules,
    storageKey,
  }: { assets: WebAssets; modules: string[]; storageKey: string },
): string {
  const styles = app.styles.map((href) => readCss(join(folder, href))).join('');
  const preloads = [app.script, ...app.modules, ...modules].map(preload).join('');
  return page
    .replace(/<link\s+rel="(preload|modulepreload|stylesheet)"[^>]*>\s*/g, '')
    .replace(/<script type="module"[^>]*><\/script>\s*/, '')
    .replace(
      `<script src="${early.src}">`,
      () => `<script data-app="${app.script}" data-session="${storageKey}">${early.text}`,
    )
    .replace('</head>', () => `<style>${styles}</style>${preloads}</head>`);
}

/** Writes the responses that the app finds in its cache when it starts. */
export const writeDehydrated = (queries: DehydratedQuery[]): string =>
  `<script type="application/json" id="dehydrated">${writeStructuredData(queries)}</script>`;

/** Puts the rendered screen and its data into the page. */
export const fillAppPage = (
  page: string,
  { html, dehydrated }: { html: string; dehydrated: DehydratedQuery[] },
) =>
  page.replace(
    '<div id="root"></div>',
    () => `<div id="root" data-server-rendered>${html}</div>${writeDehydrated(dehydrated)}`,
  );
