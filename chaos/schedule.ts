import { sql } from 'kysely';
import { findExternalMoney } from '#server/bookings/refunds/find-external-money.ts';
import type { Commands } from './build.ts';
import { findBroken } from './check.ts';
import { type Club, openClub } from './club.ts';
import { planFaults } from './fault-plan.ts';
import { createHistory, type History } from './history.ts';
import { breakPages, openFaults } from './inject.ts';
import { findStale, openLivePages } from './live-pages.ts';
import { book, bookForFamily, runClient } from './load.ts';
import { describeUnfinished, waitUntilIdle } from './pending-work.ts';
import type { KillablePostgres } from './postgres.ts';
import { createChance } from './random.ts';
import { checkWithoutReplica } from './readers.ts';
import { replicaFaults } from './replica-faults.ts';
import { bookDuringSmtpFaults } from './smtp-faults.ts';
import { openStage, type Stage } from './stage.ts';

/** The result of one schedule. Charges and refunds are those in the Stripe simulator's ledger. */
export type Outcome = {
  seed: number;
  faults: Map<string, number>;
  answers: Map<string, number>;
  bookings: number;
  charges: number;
  refunds: number;
  /**
   * Numbers of bookings that share a payment, bookings for children, refunds by admins, payruns, and payments
   * returned by the bank.
   */
  joint: number;
  children: number;
  deskRefunds: number;
  payruns: number;
  returned: number;
  slotsCancelled: number;
  /** Processes that exited without being killed, with their output. */
  endings: string[];
  broken: string[];
  seconds: number;
};

export type ScheduleSettings = { seed: number; loadMs: number; accidents: number; clients: number };

/** How long after faults of processes and databases a page may show stale data, in milliseconds. */
const liveAgainMs = 15_000;
/** How long a page may show stale data after its own connection was interrupted, in milliseconds. */
const freshAgainMs = 5_000;
/**
 * How long a running process keeps the lock of an email while the mail server is silent, in milliseconds: it locks
 * twice as many emails as it sends at a time, and waits up to 15 s for each connection. Without the lock, another
 * process would send the email too.
 */
const emailLockMs = 35_000;

/** Runs one schedule on a new database of this server: load with faults, recovery, pending work, checks. */
export async function runSchedule(
  postgres: KillablePostgres,
  commands: Commands,
  { seed, loadMs, accidents, clients }: ScheduleSettings,
): Promise<Outcome> {
  const began = Date.now();
  const stage = await openStage(postgres, commands, `faults_${seed}`);
  try {
    const club = await openClub(stage);
    const history = createHistory();
    await sellSomeLessons(stage, club, history, seed);
    const pages = openLivePages({ stage, club, history });
    const faults = openFaults(stage, seed);
    const plan = planFaults(createChance(seed, 'faults'), loadMs, accidents);
    const until = Date.now() + loadMs;
    const load = Array.from({ length: clients }, (_, number) =>
      runClient(
        { stage, club, history, chance: createChance(seed, `client ${number}`) },
        () => Date.now() > until,
      ),
    );
    await faults.run(plan);
    await Promise.all(load);
    await faults.heal();
    const healedAt = Date.now();
    history.broken.push(...(await findStale(stage, pages, liveAgainMs)));
    const chance = createChance(seed, 'without replica');
    const fault = chance.pick(replicaFaults);
    await checkWithoutReplica({ stage, club, history, chance }, fault);
    faults.injected.set(`${fault} alone`, 1);
    await bookDuringSmtpFaults({ stage, club, history, chance });
    const [reconnectFirst, reconnectSecond] = [
      breakPages(stage.sides[0], 'page connections cut'),
      breakPages(stage.sides[1], 'page connections silent'),
    ];
    // Nothing that moves money or seats waits for an email, so all such work must finish while no email can be sent.
    stage.smtpServer.setSilent(true);
    const unsettled = await waitUntilIdle(stage, { isWithoutEmails: true, emailLockMs });
    reconnectFirst();
    reconnectSecond();
    history.broken.push(...(await findStale(stage, pages, freshAgainMs)));
    stage.smtpServer.setSilent(false);
    // A dispute's event may have been lost. This runs the part of the nightly audit that then records the dispute.
    await findExternalMoney(stage.db(), stage.cards);
    const pending = unsettled ?? (await waitUntilIdle(stage, { emailLockMs }));
    const unfinished = pending && (await describeUnfinished(stage.db()));
    history.broken.push(...(await findStale(stage, pages, freshAgainMs)));
    pages.close();
    const broken = await findBroken(stage, club, history, healedAt);
    if (pending) broken.push(`Still unfinished a minute later: ${JSON.stringify(pending)} ${unfinished}`);
    return {
      ...{ seed, broken, faults: faults.injected, answers: history.answers },
      ...(await count(stage)),
      endings: stage.sides.flatMap(({ app }) => app.endings),
      seconds: (Date.now() - began) / 1000,
    };
  } finally {
    await stage.stop();
  }
}

/** Sells and ends some lessons before the faults, so that there are coaches to pay. */
async function sellSomeLessons(stage: Stage, club: Club, history: History, seed: number): Promise<void> {
  const chance = createChance(seed, 'before');
  const client = { stage, club, history, chance };
  const lessons = [1, 2, 3, 8, 9, 15].map((number) => club.slots[number]!);
  await Promise.all(
    lessons.map(async (slot, number) => {
      for (const customer of club.customers.slice(number, number + 2)) await book(client, customer, slot);
    }),
  );
  await bookForFamily(client, club.families[4]!, [club.slots[3]!, club.slots[9]!]);
  for (const slot of lessons) await club.endLesson(slot);
}

async function count(stage: Stage) {
  type Counts = 'bookings' | 'joint' | 'children' | 'deskRefunds' | 'payruns' | 'returned' | 'slotsCancelled';
  const { rows } = await sql<Record<Counts, number>>`
    select (select count(*) from bookings where booked_at is not null) as bookings,
      (select count(*) from bookings where booked_at is not null and exists (
        select from payment_lines where payment_id = bookings.payment_id and line_no = 2)) as joint,
      (select count(*) from bookings where booked_at is not null and participant_id <> customer_user_id) as children,
      (select count(*) from refunds where reason = 'admin') as desk_refunds,
      (select count(*) from payruns) as payruns,
      (select count(*) from payrun_returns) as returned,
      (select count(*) from lesson_slots where status = 'cancelled') as slots_cancelled`.execute(stage.db());
  const ledger = await stage.stripeSimulator.ledger();
  const refunds = ledger.reduce((sum, payment) => sum + payment.refunds.length, 0);
  return { ...rows[0]!, charges: ledger.length, refunds };
}
