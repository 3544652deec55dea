import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExactOutcome, injectAtFaultPoints } from '../../../../chaos/at-fault-points.ts';
import { buildProcesses, type Commands } from '../../../../chaos/build.ts';
import { type KillablePostgres, startKillablePostgres } from '../../../../chaos/postgres.ts';
import { runSchedule } from '../../../../chaos/schedule.ts';

// `npm run bench -- faults` runs the same schedule for longer; docs/faults.md explains how it works.
let commands: Commands;
let postgres: KillablePostgres;
beforeAll(async () => {
  [commands, postgres] = await Promise.all([buildProcesses(), startKillablePostgres()]);
});
afterAll(() => postgres.stop());

test('keeps the ledger correct under a mixed load with injected faults [PAY-5]', async () => {
  const settings = { seed: 20, loadMs: 4_000, accidents: 6, clients: 6 };
  const { broken, endings, bookings } = await runSchedule(postgres, commands, settings);
  expect({ broken, endings }).toEqual({ broken: [], endings: [] });
  expect(bookings).toBeGreaterThan(0);
}, 180_000);

test('breaks no rule when a process is killed during a payrun or after a cancellation', async () => {
  const faultPoints = ['inside a payrun', 'after a slot cancellation is committed'] as const;
  const found: ExactOutcome[] = [];
  await injectAtFaultPoints(postgres, commands, { faultPoints, faultKinds: ['kill app'] }, (outcome) => {
    found.push(outcome);
  });
  expect(found).toEqual(
    faultPoints.map((faultPoint) => ({ faultPoint, faultKinds: 1, unreached: [], broken: [] })),
  );
}, 180_000);
