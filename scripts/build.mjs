import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { buildHashFile, hashSources } from './ensure-built.mjs';
import { ensureInstalled, root } from './ensure-installed.mjs';

ensureInstalled();
process.chdir(root);
process.env.NODE_ENV = 'production';
rmSync(buildHashFile, { force: true });
const hash = hashSources();
const { build } = await import('vite');
const began = performance.now();

/** The programs that run without TypeScript: name in dist/server and source. */
const programs = {
  main: 'src/server/main.ts',
  admin: 'src/server/admin.ts',
  audit: 'scripts/audit.ts',
  'card-network': 'src/sandbox/card-network/main.ts',
};

await Promise.all([
  build({
    configFile: false,
    logLevel: 'warn',
    // One file loads faster than the hundreds these consist of: it takes a fifth off every start.
    ssr: {
      noExternal: [
        '@hono/node-server',
        'hono',
        'jose',
        'kysely',
        'stripe',
        'zod',
        // What draws the public pages, so that the built server runs without the packages of the browser's side.
        /^(react|react-dom|radix-ui|@radix-ui\/.*|lucide-react|class-variance-authority|clsx|tailwind-merge)(\/|$)/,
      ],
    },
    // Leaves out the half of React that is for development.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: true,
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: programs,
        // "use client" means nothing to a server that only writes HTML.
        onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  }),
  build({ logLevel: 'warn' }),
]);

await packFiles(join(root, 'dist', 'web'));
writeFileSync(buildHashFile, hash);
console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s`);

/**
 * Puts a packed copy beside every text a browser loads, so that none is packed while somebody waits.
 * @param {string} folder
 */
async function packFiles(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(js|css|svg)$/.test(path))
    .map((path) => join(folder, path));
  const packings = /** @type {const} */ ([
    ['.gz', (/** @type {Buffer} */ text) => promisify(gzip)(text, { level: 9 })],
    [
      '.br',
      (/** @type {Buffer} */ text) =>
        promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }),
    ],
  ]);
  await Promise.all(
    paths.flatMap((path) =>
      packings.map(async ([ending, pack]) => writeFileSync(path + ending, await pack(readFileSync(path)))),
    ),
  );
}
