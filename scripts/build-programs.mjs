import { build } from 'vite';
import { root } from './ensure-installed.mjs';

/** The programs that run without TypeScript: their names and their sources. */
const programs = {
  main: 'src/server/main.ts',
  admin: 'src/server/admin.ts',
  audit: 'scripts/audit.ts',
  'card-network': 'src/sandbox/card-network/main.ts',
};

/**
 * Writes the programs of the server's side as plain JavaScript, each `<name>.js`, into a folder below the package.
 * @param {string} outDir
 */
export async function buildPrograms(outDir) {
  await build({
    configFile: false,
    root,
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
      outDir,
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
  });
}
