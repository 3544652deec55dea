import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '#server/platform/package-root.ts';
import { buildPrograms } from './build-programs.mjs';

/**
 * Once per run of vitest: builds the programs that tests start as processes, as they are shipped, into a folder of
 * this run. That takes two seconds; each process that compiled its own sources would take another one.
 */
export default async function buildTestPrograms(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(packageRoot, '.cache', `test-programs-${process.pid}`);
  const { NODE_ENV } = process.env;
  await buildPrograms(folder, { 'browser-test-server': 'e2e/serve.ts' });
  // Building sets it, and every process that a test starts would inherit it.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  project.provide('programsFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
