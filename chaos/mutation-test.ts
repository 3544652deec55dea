import { sql } from 'kysely';
import { type Commands, type Mutation, mutate } from './build.ts';
import { findBroken } from './check.ts';
import type { Client } from './client.ts';
import { openClub } from './club.ts';
import { createHistory } from './history.ts';
import { openFaults } from './inject.ts';
import {
  changeBehindAPage,
  repeatDeliveries,
  repeatJobs,
  watchBookingsEnd,
} from './live-and-email-scenes.ts';
import {
  clickTwice,
  createTheSamePayrunTwice,
  giveUpWhileTheChargeIsOnItsWay,
  markTheSamePayrunTwice,
  payWhileResponsesAreLost,
  refundTheSamePartTwice,
  returnTheSamePaymentTwice,
  rushForOneSeat,
  rushOfFamilies,
} from './money-scenes.ts';
import { waitUntilIdle } from './pending-work.ts';
import type { KillablePostgres } from './postgres.ts';
import { createChance } from './random.ts';
import { checkWithoutReplica } from './readers.ts';
import { openStage, type WireMutation } from './stage.ts';

/** A guard of the server, how to remove it, and the actions that it protects against. */
type Guard = {
  name: string;
  wireMutation?: WireMutation;
  /** SQL statements that remove the guard from the database. */
  drops?: string[];
  mutation?: Mutation;
  scene: (client: Client) => Promise<void>;
};

const without = (clause: string) => ({
  rewrite: (statement: string) => statement.replace(clause, ''),
});

const guards: Guard[] = [
  {
    name: 'the condition that a seat is free',
    wireMutation: without('and booked_count < max_capacity'),
    drops: ['alter table lesson_slots drop constraint lesson_slots_seats_within_capacity'],
    scene: rushForOneSeat,
  },
  {
    // Either guard is enough, because two bookings of the same slot also overlap.
    name: 'the limit of one active booking per slot and participant',
    drops: [
      'drop index bookings_one_active_per_slot',
      'alter table bookings drop constraint bookings_customer_never_overlap',
    ],
    scene: clickTwice,
  },
  {
    name: 'the condition that all seats of a checkout are free',
    wireMutation: {
      rewrite: (statement) =>
        statement
          .replace(/\(select lines from matching\) = (\$\d+)/, '(select lines from matching) <= $1')
          .replace(/having count\(\*\) = (\$\d+)/, 'having count(*) <= $1'),
    },
    scene: rushOfFamilies,
  },
  {
    name: 'the refusal of a refund if less is left than the admin saw',
    mutation: { from: 'if (leftCents !== expectedLeftCents) throw', to: 'if (false) throw' },
    scene: refundTheSamePartTwice,
  },
  {
    name: 'the limit of one return per payment of a payrun',
    drops: [
      'alter table payrun_returns drop constraint payrun_returns_pkey',
      'drop index ledger_entries_once',
    ],
    scene: returnTheSamePaymentTwice,
  },
  { name: 'the idempotency key', wireMutation: { dropsKeys: true }, scene: payWhileResponsesAreLost },
  {
    name: 'the condition that only a pending booking is confirmed',
    wireMutation: {
      rewrite: (statement) =>
        /set status = 'booked', booked_at = now\(\), charged_cents = amount_cents\s+where/.test(statement)
          ? statement.replace("and status = 'pending'", '')
          : statement,
    },
    scene: giveUpWhileTheChargeIsOnItsWay,
  },
  {
    name: 'the condition that a booking is in no payrun yet',
    wireMutation: {
      // Removing the flag alone changes nothing: a booking in a payrun has no amount due either.
      rewrite: (statement) =>
        statement
          .replace('and not booking.is_in_payrun', '')
          .replace('item.booking_id = booking.booking_id and not item.is_cancelled', 'false'),
    },
    drops: ['drop index payrun_items_one_live_lesson'],
    scene: createTheSamePayrunTwice,
  },
  {
    name: 'the condition that a payrun is pending',
    wireMutation: {
      rewrite: (statement) =>
        statement.startsWith('update "payruns"')
          ? statement.replace(/"status" = (\$\d+)(?= returning)/, '("status" = $1 or true)')
          : statement,
    },
    drops: ['drop index ledger_entries_once'],
    scene: markTheSamePayrunTwice,
  },
  {
    name: 'retrying a failed read of the replica on the primary',
    mutation: { from: 'if (!isReplicaToBlame(error)) throw error;', to: 'throw error;' },
    scene: (client) => checkWithoutReplica(client, 'replica silent'),
  },
  {
    name: 'the time limit of reads on the replica',
    mutation: { from: 'var replicaMs = 2500;', to: 'var replicaMs = 60_000;' },
    scene: (client) => checkWithoutReplica(client, 'replica connections freeze'),
  },
  {
    name: 'reading seats from the primary',
    mutation: { from: 'await readAvailability(db, ', to: 'await readAvailability(readDb, ' },
    scene: (client) => checkWithoutReplica(client, 'replica behind'),
  },
  {
    name: 'the record of changed bookings',
    drops: ['drop trigger bookings_record_changed on bookings'],
    scene: watchBookingsEnd,
  },
  {
    name: 'refetching everything after the database was down',
    mutation: { from: 'subscriptions.publishToAll("resync");', to: '' },
    scene: changeBehindAPage,
  },
  {
    name: 'the limit of one notification per event',
    wireMutation: without('on conflict on constraint notifications_once do nothing'),
    drops: ['alter table notifications drop constraint notifications_once'],
    scene: repeatJobs,
  },
  {
    name: 'the check that a delivery is still queued',
    mutation: { from: 'if (delivery?.status !== "queued") return;', to: 'if (!delivery) return;' },
    scene: repeatDeliveries,
  },
];

/** The checker's findings without one guard, or with all guards if `guard` is null. */
export type Proof = { guard: string | null; broken: string[] };

/** Runs all scenes with every guard in place, then each scene without its guard. */
export async function proveChecker(
  postgres: KillablePostgres,
  commands: Commands,
  report: (proof: Proof) => void,
): Promise<void> {
  const scenes = guards.map(({ scene }) => scene);
  report({ guard: null, broken: await play(postgres, commands, {}, [], scenes) });
  for (const { name, wireMutation = {}, drops = [], mutation, scene } of guards) {
    const program = mutation ? await mutate(commands, mutation) : commands;
    report({ guard: name, broken: await play(postgres, program, wireMutation, drops, [scene]) });
  }
}

async function play(
  postgres: KillablePostgres,
  commands: Commands,
  wireMutation: WireMutation,
  drops: string[],
  scenes: Guard['scene'][],
): Promise<string[]> {
  const stage = await openStage(postgres, commands, 'faults_guard', wireMutation);
  try {
    for (const drop of drops) await sql.raw(drop).execute(stage.db());
    const club = await openClub(stage);
    const client = { stage, club, history: createHistory(), chance: createChance(1, 'guards') };
    for (const scene of scenes) await scene(client);
    await openFaults(stage, 1).heal();
    const pending = await waitUntilIdle(stage, { timeoutMs: 20_000 });
    const broken = await findBroken(stage, club, client.history, 0);
    return pending ? [...broken, `Still unfinished: ${JSON.stringify(pending)}`] : broken;
  } finally {
    await stage.stop();
  }
}
