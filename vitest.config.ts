import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Starts with the slowest files, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const longest = [
      'race-for-seats',
      'random-ledger',
      'backup',
      'contract-walk',
      'database-outage',
      'faults',
    ];
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const sides = (name: string, include: string[], more = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
});

export default defineConfig({
  test: {
    projects: [
      // These need no database, so `vitest run --project pure` stays fast.
      sides('pure', [
        'src/domain/**/*.test.ts',
        'tools/**/*.test.ts',
        'src/web/**/*.test.{ts,tsx}',
        'scripts/**/*.test.ts',
        'deploy/**/*.test.ts',
      ]),
      sides(
        'server',
        ['src/server/**/*.test.ts', 'bench/**/*.test.ts', 'chaos/**/*.test.ts', 'e2e/**/*.test.ts'],
        {
          globalSetup: ['src/server/test-support/test-postgres.test-support.ts', 'scripts/test-programs.ts'],
        },
      ),
    ],
    // Files are independent of each other; loading all modules again for each one took a quarter of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Far more than a test takes, even on a busy machine, so only a test that hangs exceeds it.
    testTimeout: 120_000,
    // A poll waits for jobs and other processes; the library allows one second, which a busy machine exceeds.
    expect: { poll: { timeout: 45_000 } },
    hookTimeout: 120_000,
    // Much of a test is waiting for a slow Stripe simulator or a starting process.
    maxWorkers: 6,
    allowOnly: !process.env.CI,
    passWithNoTests: true,
  },
});
