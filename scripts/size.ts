import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The budget of each kind of bundle, in bytes after gzip; 1 kB is 1,000 bytes. */
export const budgets = { page: 15_000, shell: 120_000, route: 30_000, shared: 30_000 };

/**
 * How many scripts a route may load before it runs, besides the shell's. Each costs a request. The component gallery
 * may load more: it shows every component.
 */
const maxScripts = 26;
const gallery = 'src/web/dev/component-gallery.tsx';

/**
 * A bundle of the web app: a server-rendered page, the app's shell, a route or a lazily loaded part of a route, or a
 * chunk shared by several routes. `own` is the size of the files that only this bundle loads, in bytes after gzip; the
 * budget limits it. `all` adds the shared chunks, but not the shell. `scripts`: the number of files in `all`.
 */
export type BundleSize = {
  kind: keyof typeof budgets;
  name: string;
  own: number;
  all: number;
  scripts: number;
};

type Chunk = { file: string; src?: string; isEntry?: true; isDynamicEntry?: true; imports?: string[] };

const readManifest = (folder: string): Record<string, Chunk> =>
  JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));

/**
 * Measures the scripts of a web app that Vite built into this folder. Reads Vite's manifest, which needs
 * `build.manifest`.
 */
export function measureBundles(folder: string): BundleSize[] {
  const chunks = readManifest(folder);
  const known = new Map<string, number>();
  const measure = (file: string) => {
    const size = known.get(file) ?? gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
    known.set(file, size);
    return size;
  };
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + measure(file), 0);
  /** The files that must be loaded before this chunk runs. */
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const { file, imports = [] } = chunks[key]!;
    if (!file.endsWith('.js') || found.has(file)) return found;
    found.add(file);
    for (const other of imports) filesOf(other, found);
    return found;
  };
  const entries = Object.entries(chunks).filter(([, { file, isEntry }]) => isEntry && file.endsWith('.js'));
  const shell = new Set([...filesOf('index.html'), ...readPlainScripts(folder)]);
  const sizes: BundleSize[] = entries.map(([key]) => {
    const isShell = key === 'index.html';
    const files = isShell ? shell : filesOf(key);
    const [kind, name] = isShell ? (['shell', 'app shell'] as const) : (['page', key] as const);
    return { kind, name, own: sum(files), all: sum(files), scripts: files.size };
  });
  const routes = Object.keys(chunks)
    .filter((key) => chunks[key]!.isDynamicEntry && chunks[key]!.src)
    .map((key) => ({ key, files: [...filesOf(key)].filter((file) => !shell.has(file)) }));
  const uses = new Map<string, number>();
  for (const file of routes.flatMap(({ files }) => files)) uses.set(file, (uses.get(file) ?? 0) + 1);
  for (const { key, files } of routes) {
    const own = sum(files.filter((file) => file === chunks[key]!.file || uses.get(file) === 1));
    sizes.push({
      kind: 'route',
      name: key.replace(/^.*node_modules\//, ''),
      own,
      all: sum(files),
      scripts: files.length,
    });
  }
  for (const [key, { file, isDynamicEntry }] of Object.entries(chunks)) {
    if (isDynamicEntry || (uses.get(file) ?? 0) < 2) continue;
    sizes.push({ kind: 'shared', name: key, own: measure(file), all: measure(file), scripts: 1 });
  }
  return sizes.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.own - a.own);
}

const kinds = Object.keys(budgets);

/** Scripts of the app's page that are copied unchanged, such as the one that sets the theme. */
function readPlainScripts(folder: string): string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...page.matchAll(/<script src="\/([^"]+\.js)"/g)].map(([, file]) => file!);
}

/** Returns a sentence for each bundle over its size budget, and one for each route that loads too many scripts. */
export function findOverBudget(sizes: BundleSize[]): string[] {
  const large = sizes
    .filter(({ kind, own }) => own > budgets[kind])
    .map(
      ({ kind, name, own }) =>
        `${name} is ${inKb(own)} kB after gzip; its budget is ${inKb(budgets[kind])} kB`,
    );
  const many = sizes
    .filter(({ kind, name, scripts }) => kind === 'route' && scripts > maxScripts && name !== gallery)
    .map(
      ({ name, scripts }) =>
        `${name} loads ${scripts} scripts besides the shell's; it may load ${maxScripts}`,
    );
  return [...large, ...many];
}

/**
 * Returns one sentence per cycle of chunks that import each other. The first of them to run would read constants that
 * the others have not set yet, and the page would stay empty.
 */
export function findCircles(folder: string): string[] {
  const chunks = readManifest(folder);
  const done = new Set<string>();
  const follow = (key: string, path: string[]): string[] => {
    if (path.includes(key)) return [`${[...path.slice(path.indexOf(key)), key].join(' imports ')}`];
    if (done.has(key)) return [];
    const found = (chunks[key]!.imports ?? []).flatMap((other) => follow(other, [...path, key]));
    done.add(key);
    return found;
  };
  return Object.keys(chunks).flatMap((key) => follow(key, []));
}

const inKb = (bytes: number) => (bytes / 1000).toFixed(1);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = fileURLToPath(new URL('../dist/web', import.meta.url));
  const sizes = measureBundles(folder);
  console.log('   own  with shared   limit  kB after gzip  scripts');
  // There are too many small shared chunks to list.
  for (const { kind, name, own, all, scripts } of sizes.filter(
    ({ kind, own }) => kind !== 'shared' || own > 5_000,
  )) {
    const figures = [inKb(own).padStart(6), inKb(all).padStart(12), inKb(budgets[kind]).padStart(7)];
    console.log(`${figures.join(' ')}  ${String(scripts).padStart(21)}  ${name}`);
  }
  const faults = [...findOverBudget(sizes), ...findCircles(folder)];
  for (const sentence of faults) console.error(sentence);
  if (faults.length > 0) process.exitCode = 1;
}
