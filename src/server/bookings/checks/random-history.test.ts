import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { bookingTransitions } from '#domain/bookings/rules.ts';
import { paymentTransitions } from '#domain/payments/rules.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { type Stop, setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

let customers: Someone[];
let cards: string[];
const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
beforeAll(async () => {
  cards = [testCards.good, testCards.good, testCards.asksAlways, testCards.declinedOnPaying];
  customers = [];
  for (const card of cards) customers.push(await club.join(card));
});

const quiet = {
  errorRate: 0,
  errorAfterChargeRate: 0,
  dropAfterChargeRate: 0,
  webhooksOff: false,
};

let histories = 0;

// Events for two slots with two seats each; `who`, `where` and `which` pick the customer, slot and booking.
const who = fc.nat({ max: 3 });
const where = fc.nat({ max: 1 });
const which = fc.nat({ max: 11 });
const network = fc.record({
  kind: fc.constant('network' as const),
  errorRate: fc.constantFrom(0, 0, 0.4),
  errorAfterChargeRate: fc.constantFrom(0, 0.4),
  dropAfterChargeRate: fc.constantFrom(0, 0.4),
  webhooksOff: fc.boolean(),
});
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('book' as const), who, where }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('authenticate' as const), which, ok: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold expires' as const), where }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sweep overdue payments' as const), where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('coach cancels' as const), where }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('coach moves' as const), where, days: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: network },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('stop a charge' as const),
      side: fc.constantFrom('before', 'after'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('go on' as const), isLost: fc.boolean() }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Operations that are still running during later events, and charges stopped halfway. */
type Flight = { running: Promise<void>[]; stops: Stop[] };

async function happen(event: Event, slots: string[], flight: Flight): Promise<void> {
  const { running, stops } = flight;
  if (event.kind === 'stop a charge') {
    stops.push(gate.stopNext('POST /v1/payment_intents', event.side));
    return;
  }
  if (event.kind === 'go on') {
    const stop = stops.shift();
    return event.isLost ? stop?.lose() : stop?.pass();
  }
  if (event.kind === 'sweep') return club.sweep();
  if (event.kind === 'network') {
    const { kind: _, ...switches } = event;
    return app.stripeSimulator.control(switches);
  }
  if ('where' in event) {
    const slotId = slots[event.where]!;
    if (event.kind === 'hold expires') return age(slotId, { holdExpiresAt: new Date().toISOString() });
    if (event.kind === 'sweep overdue payments') return age(slotId, {}).then(club.sweep);
    if (event.kind === 'coach cancels')
      return ignore(app.call(club.coach, lessonsApi.cancelSlot, { slotId }));
    if (event.kind === 'coach moves') {
      // Each history uses its own days, so that only its own events can prevent a move.
      const day = 20 + histories * 4 + event.days;
      const to = wallTimeOf(Date.now() + day * 86_400_000 + event.where * 7_200_000);
      return ignore(app.call(club.coach, lessonsApi.moveSlot, { slotId, ...to }));
    }
    // Clears the rate limits, because the few customers could otherwise reach them.
    await app.db.deleteFrom('rateLimits').execute();
    const booking = ignore(club.book(customers[event.who]!, slotId));
    running.push(booking);
    // Waits for the booking to finish, unless its charge is stopped.
    await Promise.race([booking, ...stops.map(({ arrived }) => arrived)]);
    return;
  }
  const bookings = (await Promise.all(slots.map(club.readBookings))).flat();
  const booking = bookings[event.which % Math.max(1, bookings.length)];
  if (!booking) return;
  const { bookingId, customerUserId } = booking;
  const customer = customers.find(({ userId }) => userId === customerUserId)!;
  if (event.kind === 'settle') {
    running.push(ignore(app.call(customer, bookingsApi.settle, { bookingId })));
    return;
  }
  if (event.kind === 'release') return ignore(app.call(customer, bookingsApi.release, { bookingId }));
  if (event.kind === 'cancel') {
    return ignore(app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 }));
  }
  const secret = booking.stripePaymentIntentId && (await readSecret(booking.stripePaymentIntentId));
  if (secret) await club.authenticate(secret, event.ok ? 'succeeded' : 'failed');
}

/** Accepts any response except status 500. */
async function ignore(
  answer: Promise<{ status: number; error: { message: string } | undefined }>,
): Promise<void> {
  const { status, error } = await answer;
  expect(status, error?.message).not.toBe(500);
}

const readSecret = (intentId: string) =>
  app.cards.paymentIntents.retrieve(intentId).then(
    (intent) => intent.client_secret,
    () => null,
  );

async function age(slotId: string, change: { holdExpiresAt?: string }) {
  const createdAt = new Date(Date.now() - 60_000).toISOString();
  for (const { bookingId, paymentId, status } of await club.readBookings(slotId)) {
    if (status !== 'pending') continue;
    await app.db.updateTable('payments').set({ createdAt }).where('paymentId', '=', paymentId).execute();
    if (change.holdExpiresAt) {
      await app.db.updateTable('bookings').set(change).where('bookingId', '=', bookingId).execute();
    }
  }
}

test('keeps the ledger correct after random concurrent operations [PAY-5, BOOK-2, SLOT-9]', async () => {
  await watchStatuses();
  const moments = fc.array(fc.array(event, { minLength: 1, maxLength: 4, size: 'max' }), {
    minLength: 4,
    maxLength: 12,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(network, moments, async (weather, history) => {
      histories += 1;
      await backdateFailures();
      const slots = [await club.publish({ seats: 2 }), await club.publish({ seats: 2 })];
      const flight: Flight = { running: [], stops: [] };
      await happen(weather, slots, flight);
      try {
        for (const moment of history) await Promise.all(moment.map((event) => happen(event, slots, flight)));
      } finally {
        for (const stop of flight.stops) stop.pass();
        await Promise.allSettled(flight.running);
        await app.stripeSimulator.control(quiet);
        for (const slotId of slots) await age(slotId, { holdExpiresAt: new Date().toISOString() });
      }
      await Promise.all(flight.running);
      await backdateFailures();
      await eventually(async () => {
        await club.sweep();
        if (await isPaymentBeingEnded()) return false;
        const bookings = (await Promise.all(slots.map(club.readBookings))).flat();
        return bookings.every(
          ({ status, refundStatus }) => status !== 'pending' && refundStatus !== 'pending',
        );
      }, 60_000);
      await club.expectLedgerInOrder();
    }),
    { numRuns: 10, endOnFailure: true },
  );
  const moves = await app.db
    .selectFrom('auditLog')
    .select(['subjectType', 'action'])
    .where('actorSystem', '=', 'watcher')
    .distinct()
    .execute();
  const allowed = new Set([
    ...listMoves('booking', bookingTransitions),
    ...listMoves('payment', paymentTransitions),
  ]);
  expect(
    moves.map(({ subjectType, action }) => `${subjectType} ${action}`).filter((move) => !allowed.has(move)),
  ).toEqual([]);
}, 180_000);

/**
 * Brings forward the pending jobs for payments whose holds a move or cancellation released. Returns true if there were
 * any such jobs.
 */
async function isPaymentBeingEnded(): Promise<boolean> {
  const { rows } = await sql`
    select graphile_worker.reschedule_jobs(array[id], run_at => now())
    from graphile_worker.jobs where task_identifier = 'bookings.payment-released'`.execute(app.db);
  return rows.length > 0;
}

/** Sets the creation time of failed payments to two hours ago. */
async function backdateFailures(): Promise<void> {
  const createdAt = new Date(Date.now() - 7_200_000).toISOString();
  await app.db.updateTable('payments').set({ createdAt }).where('status', '=', 'failed').execute();
}

const listMoves = (subject: string, transitions: Record<string, readonly string[]>) =>
  Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `${subject} ${from} to ${to}`));

/** Makes the database record every status change, for comparison with the domain's transitions. */
async function watchStatuses(): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query(`
    create function note_move() returns trigger language plpgsql as $$
    begin
      insert into audit_log (actor_system, action, subject_type, subject_id)
      values ('watcher', old.status || ' to ' || new.status, tg_argv[0], '');
      return null;
    end $$;
    create trigger note_move after update on bookings for each row
      when (old.status <> new.status) execute function note_move('booking');
    create trigger note_move after update on payments for each row
      when (old.status <> new.status) execute function note_move('payment');`);
  await client.end();
}
