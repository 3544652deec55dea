import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { queueSweep } from '#server/bookings/booking/sweep-payments.ts';
import { auditBooks } from '#server/bookings/checks/audit-books.ts';
import { refundOfPayment } from '#server/bookings/queries.ts';
import type { Someone, TestApp } from './test-app.test-support.ts';
import { eventually } from './test-app.test-support.ts';

/** Numbers of Stripe's test cards by what they do when they are charged. */
export const testCards = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000341',
  needsAuthentication: '4000002760003184',
} as const;

export type Club = Awaited<ReturnType<typeof openClub>>;

/** A coach with lessons to book, and customers' actions through the API. */
export async function openClub(app: TestApp) {
  const { db, call, cardNetwork } = app;
  const coach = await app.signIn('coach', 'customer');
  const { templateId } = await db
    .insertInto('lessonTemplates')
    .values({
      coachId: coach.userId,
      title: 'Tennis basics',
      sport: 'tennis',
      durationMinutes: 60,
      basePriceCents: 5000,
      lessonType: 'group',
      minCapacity: 2,
      maxCapacity: 20,
    })
    .returning('templateId')
    .executeTakeFirstOrThrow();
  let published = 0;

  /** Publishes an hour's lesson; each starts two hours after the one before, from three days on. */
  async function publish(
    slot: { seats?: number; priceCents?: number; startsInHours?: number; coachId?: string } = {},
  ): Promise<string> {
    published += 1;
    const startMs = Date.now() + (slot.startsInHours ?? 72 + published * 2) * 3_600_000;
    const seats = slot.seats ?? 4;
    const { slotId } = await db
      .insertInto('lessonSlots')
      .values({
        templateId,
        coachId: slot.coachId ?? coach.userId,
        startTime: new Date(startMs).toISOString(),
        endTime: new Date(startMs + 3_600_000).toISOString(),
        lessonType: seats === 1 ? 'individual' : 'group',
        minCapacity: 1,
        maxCapacity: seats,
        priceCents: slot.priceCents ?? 5000,
      })
      .returning('slotId')
      .executeTakeFirstOrThrow();
    return slotId;
  }

  /** Moves a lesson and its bookings to this many minutes from now, as if time had passed. */
  const putAt = (slotId: string, startsInMinutes: number, minutes = 60) =>
    putOn(slotId, Date.now() + startsInMinutes * 60_000, minutes);

  /** Moves a lesson and its bookings to start at an instant (milliseconds since 1970). */
  async function putOn(slotId: string, startMs: number, minutes = 60): Promise<void> {
    const [start, end] = [startMs, startMs + minutes * 60_000].map((ms) => new Date(ms).toISOString());
    const times = { startTime: start!, endTime: end! };
    await db.updateTable('lessonSlots').set(times).where('slotId', '=', slotId).execute();
    await db
      .updateTable('bookings')
      .set({ during: `[${start},${end})` })
      .where('slotId', '=', slotId)
      .execute();
  }

  /** A signed-in customer with this card saved; null for none. */
  async function join(card: string | null = testCards.good): Promise<Someone> {
    const customer = await app.signIn('customer');
    if (card) await saveCard(customer, card);
    return customer;
  }

  async function saveCard(customer: Someone, number: string): Promise<void> {
    const card = { number, exp_month: 8, exp_year: new Date().getFullYear() + 2, cvc: '123' };
    const { id } = await app.cards.paymentMethods.create({ type: 'card', card });
    const { status, error } = await call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
    expect(error?.message).toBeUndefined();
    expect(status).toBe(200);
  }

  const book = (customer: Someone | null, slotId: string, baseAmountCents = 5000) =>
    call(customer, bookingsApi.book, { slotId, baseAmountCents });

  /** Books as the browser does: while the card network has not responded, it asks for settlement again. */
  async function bookUntilDecided(customer: Someone, slotId: string, baseAmountCents = 5000) {
    let answer = await book(customer, slotId, baseAmountCents);
    const deadline = Date.now() + 60_000;
    while (answer.status === 200 && answer.body.outcome === 'processing' && Date.now() < deadline) {
      await delay(120);
      answer = await call(customer, bookingsApi.settle, { bookingId: answer.body.bookingId });
    }
    return answer;
  }

  /** What the customer does on the bank's page. */
  async function authenticate(clientSecret: string, outcome: 'succeeded' | 'failed'): Promise<void> {
    const intentId = clientSecret.split('_secret')[0];
    const response = await fetch(`${cardNetwork.url}/challenge/${intentId}`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: clientSecret, outcome }),
    });
    expect(response.status).toBe(200);
  }

  const readSlot = (slotId: string) =>
    db.selectFrom('lessonSlots').selectAll().where('slotId', '=', slotId).executeTakeFirstOrThrow();

  /** The customer's bookings of a slot in the database, with their payments, oldest first. */
  const readBookings = (slotId: string) =>
    db
      .selectFrom('bookings')
      .innerJoin('payments as payment', 'payment.paymentId', 'bookings.paymentId')
      .leftJoinLateral(refundOfPayment.as<'refund'>(sql`refund`), (join) => join.onTrue())
      .selectAll('bookings')
      .select(['payment.status as paymentStatus', 'stripePaymentIntentId', 'refund.refundStatus'])
      .where('slotId', '=', slotId)
      .orderBy('bookings.createdAt')
      .execute();

  /** Makes the sweeper process everything unfinished now instead of when it is due, and waits until it has. */
  async function sweep(): Promise<void> {
    const past = new Date(0).toISOString();
    const unfinished = db.updateTable('payments').set({ checkAt: past });
    await unfinished.where('status', 'in', ['processing', 'requires_action']).execute();
    await db.updateTable('refunds').set({ checkAt: past }).where('status', '=', 'pending').execute();
    await db.updateTable('refunds').set({ refusedAt: past }).where('refusedAt', 'is not', null).execute();
    await queueSweep(db, 0);
    await eventually(async () => {
      const due = await db
        .selectFrom('payments')
        .select('paymentId')
        .where('checkAt', '=', past)
        .where('status', 'in', ['processing', 'requires_action'])
        .executeTakeFirst();
      return !due;
    });
  }

  /** Charges and refunds on the card network for bookings of this slot, in cents. */
  async function netCharges(slotId: string): Promise<number[]> {
    const bookings = new Set((await readBookings(slotId)).map(({ bookingId }) => bookingId));
    const ledger = await cardNetwork.ledger();
    return ledger
      .filter(({ metadata }) => bookings.has(metadata.booking_id ?? ''))
      .map(({ amount, refunds }) => amount - refunds.reduce((sum, refund) => sum + refund.amount, 0))
      .filter((net) => net !== 0);
  }

  /** Waits until no refund is pending, then fails if our books and the card network's disagree. */
  async function expectBooksInOrder(): Promise<void> {
    await eventually(async () => {
      const waiting = await db
        .selectFrom('refunds')
        .select('refundId')
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return !waiting;
    }, 60_000);
    expect(await auditBooks(db, app.cards)).toEqual([]);
  }

  return {
    coach,
    publish,
    putAt,
    putOn,
    join,
    saveCard,
    book,
    bookUntilDecided,
    authenticate,
    readSlot,
    readBookings,
    sweep,
    netCharges,
    expectBooksInOrder,
  };
}
