import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '#server/platform/package-root.ts';
import { buildPrograms } from './build-programs.mjs';

/**
 * Builds the programs that tests start as processes, in the same way as the shipped programs, in a folder of this run
 * of vitest. Takes two seconds once; otherwise each process would need a second to compile its own sources.
 */
export default async function buildTestPrograms(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(packageRoot, '.cache', `test-programs-${process.pid}`);
  const { NODE_ENV } = process.env;
  await buildPrograms(folder, { 'browser-test-server': 'e2e/serve.ts' });
  // The build sets NODE_ENV, which every process that a test starts would inherit.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  project.provide('programsFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
