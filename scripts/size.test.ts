import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findCircles, findOverBudget, measureBundles } from './size.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Text that gzip compresses to about this many bytes. */
function noise(bytes: number): string {
  let seed = bytes + 1;
  const letters = Array.from({ length: Math.round(bytes * 1.34) }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[seed % 64];
  });
  return letters.join('');
}

type Sizes = { shell?: number; page?: number; discover?: number; library?: number };
type Plan = Sizes & { vendorImports?: string[] };

/** Writes a built app (a shell of three files, a public page, two routes that share a library). Returns its folder. */
function plant({
  shell = 90_000,
  page = 8_000,
  discover = 20_000,
  library = 25_000,
  vendorImports = [],
}: Plan): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-size-'));
  folders.push(folder);
  const sizes = { main: 5_000, vendor: shell, page, discover, earnings: 9_000, library };
  const route = (name: string) => ({
    ...{ file: `assets/${name}.js`, src: `src/${name}.tsx`, isDynamicEntry: true },
    imports: ['_library.js', '_vendor.js'],
  });
  const manifest = {
    '_library.js': { file: 'assets/library.js', imports: ['_vendor.js'] },
    '_vendor.js': { file: 'assets/vendor.js', imports: vendorImports },
    'index.html': { file: 'assets/main.js', src: 'index.html', isEntry: true, imports: ['_vendor.js'] },
    'src/discover.tsx': route('discover'),
    'src/earnings.tsx': route('earnings'),
    'src/page.ts': { file: 'assets/page.js', src: 'src/page.ts', isEntry: true },
    'src/styles.css': { file: 'assets/styles.css', src: 'src/styles.css', isEntry: true },
  };
  mkdirSync(join(folder, '.vite'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.html'), '<script src="/early.js"></script>');
  writeFileSync(join(folder, 'early.js'), noise(1_000));
  for (const [name, size] of Object.entries(sizes)) {
    writeFileSync(join(folder, 'assets', `${name}.js`), noise(size));
  }
  return folder;
}

describe('bundle sizes', () => {
  test("measures pages, the shell, each route's own code, and shared chunks", () => {
    const sizes = measureBundles(plant({}));
    expect(sizes.map(({ kind, name }) => [kind, name])).toEqual([
      ['page', 'src/page.ts'],
      ['shell', 'app shell'],
      ['route', 'src/discover.tsx'],
      ['route', 'src/earnings.tsx'],
      ['shared', '_library.js'],
    ]);
    const rounded = sizes.map(({ own, all }) => [own, all].map((bytes) => Math.round(bytes / 1000)));
    expect(rounded).toEqual([
      [8, 8],
      [97, 97],
      [20, 45],
      [9, 34],
      [25, 25],
    ]);
    expect(findOverBudget(sizes)).toEqual([]);
  });

  test.each<[Sizes, RegExp]>([
    [{ shell: 116_000 }, /^app shell is 12\d\.\d kB after gzip; its budget is 120\.0 kB$/],
    [{ page: 16_000 }, /^src\/page\.ts is 16\.\d kB .* 15\.0 kB$/],
    [{ discover: 31_000 }, /^src\/discover\.tsx is 31\.\d kB .* 30\.0 kB$/],
    [{ library: 32_000 }, /^_library\.js is 32\.\d kB .* 30\.0 kB$/],
  ])('reports a bundle over budget: %o', (sizes, sentence) => {
    expect(findOverBudget(measureBundles(plant(sizes)))).toEqual([expect.stringMatching(sentence)]);
  });

  test('reports chunks that import each other', () => {
    expect(findCircles(plant({}))).toEqual([]);
    const vendorImports = ['_library.js'];
    expect(findCircles(plant({ vendorImports }))).toEqual([
      '_library.js imports _vendor.js imports _library.js',
    ]);
  });

  test('reports a route that loads too many scripts', () => {
    const route = { kind: 'route' as const, name: 'src/discover.tsx', own: 1_000, all: 9_000 };
    expect(findOverBudget([{ ...route, scripts: 26 }])).toEqual([]);
    expect(findOverBudget([{ ...route, scripts: 27 }])).toEqual([
      "src/discover.tsx loads 27 scripts besides the shell's; it may load 26",
    ]);
  });
});
