import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { buildPrograms } from '../scripts/build-programs.mjs';

const outDir = join(packageRoot, '.cache', 'faults');

/**
 * The commands that start the server and the Stripe simulator. They run built JavaScript, which starts quickly,
 * because processes are killed and restarted often.
 */
export type Commands = { app: string[]; stripeSimulator: string[] };

/** Builds the server-side programs from the current sources. Takes two seconds. */
export async function buildProcesses(): Promise<Commands> {
  await buildPrograms(outDir);
  const program = (name: string) => [process.execPath, join(outDir, `${name}.js`)];
  return { app: program('main'), stripeSimulator: program('stripe-simulator') };
}

/** Text in the built server, and its replacement. */
export type Mutation = { from: string; to: string };

/**
 * Writes a copy of the built server with this mutation and returns the commands that start the copy. Throws unless the
 * text occurs exactly once.
 */
export async function mutate(commands: Commands, { from, to }: Mutation): Promise<Commands> {
  const [node = '', program = ''] = commands.app;
  const [head, tail, ...more] = (await readFile(program, 'utf8')).split(from);
  if (tail === undefined || more.length > 0) {
    throw new Error(`"${from}" does not occur exactly once in the built server.`);
  }
  const mutated = join(dirname(program), 'main-mutated.js');
  await writeFile(mutated, head + to + tail);
  return { ...commands, app: [node, mutated] };
}
