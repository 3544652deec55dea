import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where this run's built programs lie. */
    programsFolder: string;
  }
}

/** Path of one of our programs, built from the sources as they are now; Node runs it. */
export const pathOfProgram = (name: 'main' | 'admin' | 'audit' | 'card-network') =>
  join(inject('programsFolder'), `${name}.js`);
