import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const routes = 'src/web/routes.tsx';
const found = /(?:lazyRouteComponent|areaScreen)\(\s*\(\) => import\('\.\/([^']+)'\)/;

/**
 * Lists the modules that each page of the app loads for its screen, its layout included, by the pattern of its URL as
 * in `pageTitles`. Reads the source of the routes, which no program can import without loading the whole app.
 */
export function listScreenModules(source: string): Record<string, string[]> {
  const constants = new Map(
    [...source.matchAll(new RegExp(`const (\\w+) = ${found.source}`, 'g'))].map(([, name, file]) => [
      name!,
      file!,
    ]),
  );
  const layouts = new Map<string, { path: string; modules: string[] }>([['root', { path: '', modules: [] }]]);
  const screens: Record<string, string[]> = {};
  for (const [, name, text = ''] of source.matchAll(
    /(?:const (\w+) = )?createRoute\(\{([\s\S]*?)\n *\}\)[,;]/g,
  )) {
    const [, parent = ''] = /getParentRoute: \(\) => (\w+)/.exec(text) ?? [];
    const [, own = ''] = /path: '([^']*)'/.exec(text) ?? [];
    const layout = layouts.get(parent);
    if (!layout) throw new Error(`${routes}: the parent ${parent} of ${own} is not known.`);
    const path = own === '/' && layout.path ? layout.path : layout.path + own;
    const used = [...constants].filter(([constant]) => new RegExp(`\\b${constant}\\b`).test(text));
    const [, file] = found.exec(text) ?? [];
    const modules = [...layout.modules, ...(file ? [file] : []), ...used.map(([, used]) => used)];
    if (name) layouts.set(name, { path, modules });
    screens[path] = modules;
  }
  return screens;
}

/** Writes `.vite/screens.json` beside Vite's manifest: the modules of each page, as the manifest names them. */
export function screenModules(): Plugin {
  return {
    name: 'screen-modules',
    apply: 'build',
    generateBundle() {
      const screens = Object.entries(
        listScreenModules(readFileSync(join(import.meta.dirname, '..', routes), 'utf8')),
      );
      const named = screens.map(([pattern, files]) => [pattern, files.map((file) => join('src/web', file))]);
      this.emitFile({
        type: 'asset',
        fileName: '.vite/screens.json',
        source: JSON.stringify(Object.fromEntries(named)),
      });
    },
  };
}
