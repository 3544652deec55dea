import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { packageRoot } from '#server/platform/package-root.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of this run's built programs. */
    programsFolder: string;
  }
}

type Program = 'main' | 'admin' | 'audit' | 'stripe-simulator' | 'browser-test-server';

/** Path of one of our programs, built from the current sources as JavaScript. */
export const pathOfProgram = (name: Program) => join(inject('programsFolder'), `${name}.js`);

/** Runs a program until it exits, as an operator does, with exactly this environment; returns its output. */
export function runProgram(
  name: Program,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [pathOfProgram(name), ...args],
      { cwd: packageRoot, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
