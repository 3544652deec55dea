import { join } from 'node:path';
import { build } from 'vite';
import { packageRoot } from '#server/platform/package-root.ts';

const outDir = join(packageRoot, '.cache', 'faults');

/** The commands that start the product and the card network from plain JavaScript: processes are killed and started often. */
export type Commands = { app: string[]; cardNetwork: string[] };

/** Builds them from the sources as they are now, which takes a second. */
export async function buildProcesses(): Promise<Commands> {
  await build({
    configFile: false,
    root: packageRoot,
    logLevel: 'error',
    ssr: { noExternal: ['@hono/node-server', 'hono', 'jose', 'kysely', 'stripe', 'zod'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { app: 'src/server/main.ts', 'card-network': 'src/sandbox/card-network/main.ts' },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  });
  const program = (name: string) => [process.execPath, join(outDir, `${name}.js`)];
  return { app: program('app'), cardNetwork: program('card-network') };
}
