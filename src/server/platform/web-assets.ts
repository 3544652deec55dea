import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** One entry of the list of files that Vite leaves beside what it built. */
type Built = { file: string; imports?: string[]; css?: string[] };

/** Addresses of the files that the pages drawn by the server load. */
export type WebAssets = {
  style: string;
  /** All of the style sheet, to stand in the page itself; null in development. */
  css: string | null;
  script: string;
  /** The app: its script, the scripts that this imports, its styles. */
  app: { script: string; modules: string[]; styles: string[] };
};

const sources = {
  style: 'src/pages/pages.css',
  script: 'src/web/public-page.ts',
};

/**
 * Finds the built files under their hashed names. `isDevelopment`, or nothing was built: the sources, which Vite's
 * own server gives out.
 */
export function findWebAssets({ isDevelopment }: { isDevelopment: boolean }): WebAssets {
  const built = isDevelopment ? null : readBuilt(join(packageRoot, 'dist', 'web', '.vite', 'manifest.json'));
  if (!built) {
    const { style, script } = sources;
    const app = { script: '/src/web/main.tsx', modules: [], styles: ['/src/web/app.css'] };
    return { style: `/${style}`, css: null, script: `/${script}`, app };
  }
  const chunkOf = (name: string): Built => {
    const chunk = built[name];
    if (!chunk) throw new Error(`The build lacks ${name}. Run npm run build again.`);
    return chunk;
  };
  const addressOf = (name: string) => `/${chunkOf(name).file}`;
  const app = chunkOf('index.html');
  const style = addressOf(sources.style);
  const modules = new Set<string>();
  const collect = (chunk: Built): void => {
    for (const name of chunk.imports ?? []) {
      if (modules.has(name)) continue;
      modules.add(name);
      collect(chunkOf(name));
    }
  };
  collect(app);
  return {
    style,
    css: readFileSync(join(packageRoot, 'dist', 'web', style), 'utf8').replaceAll(
      // Nobody waits for a font, and no line moves once it is there: the next page has it.
      /font-display:\s*swap/g,
      'font-display:optional',
    ),
    script: addressOf(sources.script),
    app: {
      script: `/${app.file}`,
      modules: [...modules].map(addressOf),
      styles: (app.css ?? []).map((file) => `/${file}`),
    },
  };
}

function readBuilt(path: string): Record<string, Built> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
