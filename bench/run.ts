// npm run bench -- [discover|lists|history|booking|storage|start|hostile|hostile-uploads] [--quick]
// npm run bench -- realtime [--quick]
// npm run bench -- calendars
// npm run bench -- compare --with=REVISION [--cases=lessons] [--rounds=9] [--quick]
// npm run bench -- restarts [--quick]
// npm run bench -- pgbouncer
// npm run bench -- reminders [--quick]
// npm run bench -- faults [--quick] [--seed=1] [--schedules=50] | --fault-points | --prove-checker
import { spawnSync } from 'node:child_process';
import { benchChecker, benchFaultPoints, benchFaults } from '../chaos/faults.ts';
import { benchBooking } from './booking.ts';
import { benchCheckouts } from './checkouts.ts';
import { benchCompare } from './compare.ts';
import { benchDiscover } from './discover.ts';
import { benchHistory } from './history.ts';
import { benchLists } from './lists.ts';
import { benchPgbouncer } from './pgbouncer.ts';
import { benchRealtime } from './realtime.ts';
import { benchReminders } from './reminders.ts';
import { benchRestarts } from './restarts.ts';
import { benchStart } from './start.ts';
import { benchStorage } from './storage.ts';

// tsx turns source maps on, which make every error's stack expensive. The built server runs without them.
process.setSourceMapsEnabled(false);

const isQuick = process.argv.includes('--quick');
const expected = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const optionOf = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const numberOf = (name: string, otherwise: number) => Number(optionOf(name) ?? otherwise);
const benches: Record<string, () => Promise<void>> = {
  discover: () => benchDiscover(isQuick ? { seconds: 0.5, rounds: 1 } : { seconds: 0.7, rounds: 3 }),
  lists: () => benchLists(isQuick ? { seconds: 0.3, rounds: 1 } : { seconds: 0.5, rounds: 3 }),
  history: () => benchHistory(isQuick ? { calls: 100, rounds: 1 } : { calls: 300, rounds: 3 }),
  booking: async () => {
    await benchBooking(isQuick ? { bookings: 300, rounds: 1 } : { bookings: 800, rounds: 3 });
    await benchCheckouts(isQuick ? { checkouts: 100, rounds: 1 } : { checkouts: 300, rounds: 5 });
  },
  storage: () => benchStorage(isQuick ? { seconds: 4, rounds: 1 } : { seconds: 8, rounds: 3 }),
  start: () => benchStart({ rounds: isQuick ? 1 : 3 }),
  hostile: async () => sendHostileRequests(isQuick ? 10_000 : 100_000),
  'hostile-uploads': async () => sendHostileUploads(isQuick ? 500 : 4_000),
};
/** Runs contract-walk.test.ts with this many random requests; $HOSTILE_SEED repeats a run. */
function sendHostileRequests(requests: number): void {
  const seconds = runTests('product-tests/contract-walk.test.ts', { HOSTILE_REQUESTS: String(requests) });
  console.log(`hostile: ${requests} requests refused or harmless, nothing changed, in ${seconds} s`);
}

/** Runs hostile-uploads.test.ts with this many generated uploads; $HOSTILE_SEED is the first seed. */
function sendHostileUploads(uploads: number): void {
  const seconds = runTests('product-tests/hostile-uploads.test.ts', { HOSTILE_UPLOADS: String(uploads) });
  console.log(`hostile uploads: ${uploads} refused or stored without private metadata, in ${seconds} s`);
}

/** Runs the tests of calendar files with all parsers. Needs Python's icalendar, which `npm test` does not need. */
function readCalendars(): void {
  const seconds = runTests('bookings/calendars', { CALENDAR_PARSERS: 'all' });
  console.log(`calendars: ical.js, node-ical and Python's icalendar read the same events, in ${seconds} s`);
}

/** Runs a file or folder of tests below src/server; ends the process if one fails. Returns the seconds it took. */
function runTests(path: string, env: Record<string, string>): number {
  const began = performance.now();
  const { status } = spawnSync('vitest', ['run', `src/server/${path}`], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(1);
  return Math.round((performance.now() - began) / 1000);
}

/**
 * Benchmarks that run only if named, because they take many minutes, open thousands of sockets, or need nginx,
 * PgBouncer or Python.
 */
const long: Record<string, () => Promise<void>> = {
  calendars: async () => readCalendars(),
  compare: () =>
    benchCompare({
      revision: optionOf('with') ?? 'HEAD~1',
      cases: optionOf('cases') ?? '',
      seconds: isQuick ? 0.5 : 1.2,
      rounds: numberOf('rounds', isQuick ? 1 : 9),
    }),
  pgbouncer: () => benchPgbouncer(),
  realtime: () =>
    benchRealtime(
      isQuick ? { sockets: 1_000, rounds: 1, bookings: 300 } : { sockets: 10_000, rounds: 5, bookings: 800 },
    ),
  reminders: () => benchReminders({ reminders: isQuick ? 5_000 : 50_000 }),
  restarts: () => benchRestarts(isQuick ? { restarts: 2, requests: 500 } : { restarts: 6, requests: 3_000 }),
  faults: async () => {
    if (process.argv.includes('--fault-points')) return benchFaultPoints();
    if (process.argv.includes('--prove-checker')) return benchChecker();
    await benchFaults({
      schedules: numberOf('schedules', isQuick ? 3 : 50),
      firstSeed: numberOf('seed', 1),
      lanes: 2,
      loadMs: 8_000,
    });
  },
};
for (const name of expected.length > 0 ? expected : Object.keys(benches)) {
  const bench = benches[name] ?? long[name];
  if (!bench)
    throw new Error(
      `There is no benchmark "${name}". Choose from ${Object.keys({ ...benches, ...long }).join(', ')}.`,
    );
  await bench();
}
process.exit();
