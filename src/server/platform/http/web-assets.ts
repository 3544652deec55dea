import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** One entry of the manifest that Vite writes beside the build. */
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
  /** The scripts that the discover page needs in addition to the app's. */
  discover: string[];
};

const folder = join(packageRoot, 'dist', 'web');
const early = '/early.js';
const sources = {
  style: 'src/site/pages.css',
  font: 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  script: 'src/web/public-page.ts',
  discover: ['src/web/app/layout/area-layout.tsx', 'src/web/discover/discover.tsx'],
};

/**
 * Finds the built files under their hashed names. In development, or without a build, returns the sources, which Vite's
 * development server serves.
 */
export function findWebAssets({ isDevelopment }: { isDevelopment: boolean }): WebAssets {
  const built = isDevelopment ? null : readBuilt(join(folder, '.vite', 'manifest.json'));
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
      discover: [],
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
  const discover = new Set(sources.discover.flatMap((name) => [name, ...collect(chunkOf(name))]));
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
    discover: [...discover].filter((name) => name !== 'index.html' && !modules.has(name)).map(addressOf),
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

function readBuilt(path: string): Record<string, Built> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
