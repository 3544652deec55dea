import { injectAtFaultPoints } from './at-fault-points.ts';
import { buildProcesses } from './build.ts';
import { faultKinds, faultPointNames } from './fault-points.ts';
import { proveChecker } from './mutation-test.ts';
import { type KillablePostgres, startKillablePostgres } from './postgres.ts';
import { type Outcome, runSchedule } from './schedule.ts';

/** The settings of a run, in which `lanes` schedules run concurrently, each on its own PostgreSQL. */
export type FaultSettings = { schedules: number; firstSeed: number; lanes: number; loadMs: number };

/** Injects faults at each fault point and prints the outcome. */
export async function benchFaultPoints(): Promise<void> {
  console.log(`\nFaults at ${faultPointNames.length} fault points: ${faultKinds.join(', ')}`);
  const commands = await buildProcesses();
  await withPostgres(async (postgres) => {
    let fallen = 0;
    let brokenRules = 0;
    const { endings } = await injectAtFaultPoints(
      postgres,
      commands,
      { faultPoints: faultPointNames, faultKinds },
      (outcome) => {
        const { faultPoint, unreached, broken } = outcome;
        fallen += outcome.faultKinds;
        brokenRules += broken.length + unreached.length;
        console.log(`  ${faultPoint}: ${outcome.faultKinds} faults, ${broken.length} invariants broken`);
        for (const faultKind of unreached) console.log(`    NOT REACHED: ${faultKind}`);
        for (const sentence of broken) console.log(`    BROKEN: ${sentence}`);
      },
    );
    for (const ending of endings) console.log(`  BROKEN: ${ending}`);
    console.log(
      `Total: ${faultPointNames.length} fault points, ${fallen} faults, ${brokenRules + endings.length} broken`,
    );
    if (brokenRules + endings.length > 0) process.exitCode = 1;
  });
}

/** Removes the server's guards, one at a time, and prints the invariants that break without each guard. */
export async function benchChecker(): Promise<void> {
  console.log('\nMutation test of the checker: one guard of the server removed at a time');
  const commands = await buildProcesses();
  await withPostgres((postgres) =>
    proveChecker(postgres, commands, ({ guard, broken }) => {
      const isAsHoped = guard ? broken.length > 0 : broken.length === 0;
      if (!isAsHoped) process.exitCode = 1;
      const verdict = guard
        ? broken.length > 0
          ? 'noticed'
          : 'NOT NOTICED'
        : `${broken.length} invariants broken`;
      console.log(`\n  ${guard ? `without ${guard}` : 'with every guard'}: ${verdict}`);
      for (const sentence of broken) console.log(`    ${sentence.slice(0, 240)}`);
    }),
  );
}

/** Runs seeded fault schedules and prints each outcome. Sets the exit code to 1 if any invariant broke. */
export async function benchFaults({ schedules, firstSeed, lanes, loadMs }: FaultSettings): Promise<void> {
  console.log(`\nFaults: ${schedules} schedules from seed ${firstSeed}, ${loadMs / 1000} s of load each`);
  const commands = await buildProcesses();
  const seeds = Array.from({ length: schedules }, (_, number) => firstSeed + number);
  const outcomes: Outcome[] = [];
  const runLane = () =>
    withPostgres(async (postgres) => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const outcome = await runSchedule(postgres, commands, { seed, loadMs, accidents: 8, clients: 8 });
        outcomes.push(outcome);
        print(outcome);
      }
    });
  await Promise.all(Array.from({ length: Math.min(lanes, schedules) }, runLane));
  printTotal(outcomes);
  if (outcomes.some(({ broken, endings }) => broken.length + endings.length > 0)) process.exitCode = 1;
}

function print(outcome: Outcome): void {
  const { seed, seconds, faults, answers, broken, endings } = outcome;
  const list = (counts: Map<string, number>) =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => (times > 1 ? `${name} ×${times}` : name))
      .join(', ');
  console.log(`\nseed ${seed} (${seconds.toFixed(1)} s): ${describe(outcome)}`);
  console.log(`  faults: ${list(faults)}`);
  console.log(`  responses: ${list(answers)}`);
  for (const sentence of [...broken, ...endings]) console.log(`  BROKEN: ${sentence}`);
}

function printTotal(outcomes: Outcome[]): void {
  const sum = (read: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + read(one), 0);
  const faults = sum((outcome) => [...outcome.faults.values()].reduce((total, times) => total + times, 0));
  console.log(
    `\nTotal: ${outcomes.length} schedules, ${faults} faults, ${sum((one) => one.bookings)} bookings ` +
      `(${sum((one) => one.joint)} paid together, ${sum((one) => one.children)} of children), ` +
      `${sum((one) => one.charges)} charges, ${sum((one) => one.refunds)} refunds, ` +
      `${sum((one) => one.deskRefunds)} of them by admins, ${sum((one) => one.payruns)} payruns, ` +
      `${sum((one) => one.returned)} payments returned, ` +
      `${sum((one) => one.slotsCancelled)} lessons cancelled, ${sum((one) => one.endings.length)} processes exited unexpectedly, ` +
      `${sum((one) => one.broken.length)} invariants broken`,
  );
}

const describe = ({ bookings, joint, children, charges, refunds, deskRefunds, ...rest }: Outcome) =>
  `${bookings} bookings (${joint} paid together, ${children} of children), ${charges} charges, ` +
  `${refunds} refunds, ${deskRefunds} of them by admins, ${rest.payruns} payruns, ${rest.returned} payments returned, ` +
  `${rest.slotsCancelled} lessons cancelled, ${rest.broken.length} invariants broken`;

async function withPostgres(use: (postgres: KillablePostgres) => Promise<void>): Promise<void> {
  const postgres = await startKillablePostgres();
  await use(postgres).finally(postgres.stop);
}
