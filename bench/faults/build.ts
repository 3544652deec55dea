import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { buildPrograms } from '../../scripts/build-programs.mjs';

const outDir = join(packageRoot, '.cache', 'faults');

/** The commands that start the product and the card network from plain JavaScript: processes are killed and started often. */
export type Commands = { app: string[]; cardNetwork: string[] };

/** Builds them from the sources as they are now, which takes two seconds. */
export async function buildProcesses(): Promise<Commands> {
  await buildPrograms(outDir);
  const program = (name: string) => [process.execPath, join(outDir, `${name}.js`)];
  return { app: program('main'), cardNetwork: program('card-network') };
}
