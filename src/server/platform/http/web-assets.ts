import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** One entry of the manifest that Vite writes next to the build. */
type Built = { file: string; imports?: string[]; css?: string[] };

/** A browser script: its URL, and its text for use inline; the text is null if the sources are served. */
export type PageScript = { src: string; text: string | null };

/** The files that server-rendered pages load, by their URLs. */
export type WebAssets = {
  /** Needed by every page before its first paint. */
  early: PageScript;
  style: string;
  /** The whole style sheet, for use inline; null if the sources are served. */
  css: string | null;
  /** The font's URL; null if the sources are served. */
  font: string | null;
  script: PageScript;
  /** The app: its script, the scripts that it imports, and its styles. */
  app: { script: string; modules: string[]; styles: string[] };
  /** The scripts that the screen of each page needs in addition to the app's, by the pattern of the page's URL. */
  screens: Readonly<Record<string, string[]>>;
  /** The account client, which loads if somebody is signed in or about to sign in. */
  account: string[];
};

const folder = join(packageRoot, 'dist', 'web');
const early = '/early.js';
const sources = {
  style: 'src/site/pages.css',
  font: 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  script: 'src/web/public-page.ts',
};

/**
 * Finds the built files under their hashed names. In development, or without a build, returns the sources, which Vite's
 * development server serves.
 */
export function findWebAssets({ isDevelopment }: { isDevelopment: boolean }): WebAssets {
  const built = isDevelopment ? null : readBuilt<Built>('manifest.json');
  if (!built) {
    const { style, script } = sources;
    const app = { script: '/src/web/main.tsx', modules: [], styles: ['/src/web/app.css'] };
    return {
      early: { src: early, text: null },
      style: `/${style}`,
      css: null,
      font: null,
      script: { src: `/${script}`, text: null },
      app,
      screens: {},
      account: [],
    };
  }
  const chunkOf = (name: string): Built => {
    const chunk = built[name];
    if (!chunk) throw new Error(`The build lacks ${name}. Run npm run build again.`);
    return chunk;
  };
  const addressOf = (name: string) => `/${chunkOf(name).file}`;
  const app = chunkOf('index.html');
  const style = addressOf(sources.style);
  /** Names of the chunks that `chunk` imports, directly or indirectly. */
  const collect = (chunk: Built, names = new Set<string>()): Set<string> => {
    for (const name of chunk.imports ?? []) {
      if (names.has(name)) continue;
      names.add(name);
      collect(chunkOf(name), names);
    }
    return names;
  };
  const modules = collect(app);
  /** The files of these chunks and of those that they import, without the app's. */
  const filesOf = (names: string[]) =>
    [...new Set(names.flatMap((name) => [name, ...collect(chunkOf(name))]))]
      .filter((name) => name !== 'index.html' && !modules.has(name))
      .map(addressOf);
  const screens = Object.entries(readBuilt<string[]>('screens.json') ?? {});
  const withText = (src: string) => ({ src, text: readFileSync(join(folder, src), 'utf8') });
  return {
    early: withText(early),
    style,
    css: readCss(join(folder, style)),
    font: addressOf(sources.font),
    script: withText(addressOf(sources.script)),
    app: {
      script: `/${app.file}`,
      modules: [...modules].map(addressOf),
      styles: (app.css ?? []).map((file) => `/${file}`),
    },
    screens: Object.fromEntries(screens.map(([pattern, names]) => [pattern, filesOf(names)])),
    account: filesOf(Object.keys(built).filter((name) => /@supabase\/auth-js/.test(name))),
  };
}

/** Reads a style sheet for inline use, with optional fonts: pages neither wait for a font nor shift when it arrives. */
export function readCss(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/font-display:\s*swap/g, 'font-display:optional');
}

/** Content-security-policy sources that allow the inline scripts of the pages. */
export function hashScripts({ early, script }: WebAssets): string[] {
  return [early.text, script.text]
    .filter((text) => text !== null)
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

/** Reads what the build wrote about its files; null without a build. */
function readBuilt<Entry>(name: string): Record<string, Entry> | null {
  try {
    return JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8'));
  } catch {
    return null;
  }
}
