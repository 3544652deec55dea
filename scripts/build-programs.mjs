import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './ensure-installed.mjs';

/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bundled = ['@hono/node-server', 'hono', 'jose', 'kysely', 'lru-cache', 'stripe', 'zod'];

/** The names and the sources of the programs to build as plain JavaScript. */
const programs = {
  main: 'src/server/main.ts',
  admin: 'src/server/commands.ts',
  audit: 'scripts/audit.ts',
  'stripe-simulator': 'tools/stripe-sandbox/main.ts',
};

/**
 * Builds the server-side programs as plain JavaScript, one `<name>.js` each, in a folder below the package.
 * @param {string} outDir
 * @param {Record<string, string>} [more] names and sources of programs that are not shipped
 */
export async function buildPrograms(outDir, more = {}) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // Bundling shortens every start by a fifth, because one file loads faster than hundreds. Code that renders pages
    // needs the browser's packages, which are missing where the built server runs.
    ssr: { noExternal: true, external: Object.keys(dependencies).filter((name) => !bundled.includes(name)) },
    // Leaves out React's development code.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    // Leaves out React's development functions even if a test builds with NODE_ENV=test.
    oxc: { jsx: { development: false } },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: { ...programs, ...more },
        // Hides the warning that "use client" is ignored: only React Server Components use it.
        onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  });
}
