import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { queueSweep } from '#server/bookings/payment/sweep-payments.ts';
import { refundOfBooking } from '#server/bookings/queries.ts';
import type { Someone } from './contract-client.test-support.ts';
import { addSlot, addTemplate, putLesson } from './lessons.test-support.ts';
import { answerBank } from './stripe-simulator.test-support.ts';
import { eventually, type TestApp } from './test-app.test-support.ts';
import { cardOfNumber, testCards } from './test-cards.test-support.ts';

export type Club = Awaited<ReturnType<typeof openClub>>;

/**
 * Adds a coach with a template. Returns functions that publish lessons, act as customers through the API and read data.
 */
export async function openClub(app: TestApp) {
  const { db, call, stripeSimulator } = app;
  const coach = await app.signIn('coach', 'customer');
  const templateId = await addTemplate(db, coach.userId);
  let published = 0;

  /**
   * Publishes a one-hour lesson. By default, the first lesson starts in 74 hours, and each further lesson two hours
   * later.
   */
  async function publish(
    slot: { seats?: number; priceCents?: number; startsInHours?: number; coachId?: string } = {},
  ): Promise<string> {
    published += 1;
    const startMs = Date.now() + (slot.startsInHours ?? 72 + published * 2) * 3_600_000;
    const { seats = 4, priceCents = 5000, coachId = coach.userId } = slot;
    return addSlot(db, { templateId, coachId, startMs, seats, priceCents });
  }

  /** Moves a lesson and its bookings to this many minutes from now, as if time had passed. */
  const putAt = (slotId: string, startsInMinutes: number, minutes = 60) =>
    putOn(slotId, Date.now() + startsInMinutes * 60_000, minutes);

  /** Moves a lesson and its bookings to start at an instant (milliseconds since 1970). */
  const putOn = (slotId: string, startMs: number, minutes = 60) =>
    putLesson(db, slotId, { startMs, minutes });

  /** Adds a signed-in customer who has saved this card, or no card if `card` is null. */
  async function join(card: string | null = testCards.good): Promise<Someone> {
    const customer = await app.signIn('customer');
    if (card) await saveCard(customer, card);
    return customer;
  }

  async function saveCard(customer: Someone, number: string): Promise<void> {
    const { id } = await app.cards.paymentMethods.create({ type: 'card', card: cardOfNumber(number) });
    const { status, error } = await call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
    expect(error?.message).toBeUndefined();
    expect(status).toBe(200);
  }

  const book = (customer: Someone | null, slotId: string, baseAmountCents = 5000) =>
    call(customer, bookingsApi.book, { slotId, baseAmountCents });

  /** Books as the browser does: asks for settlement again until the payment has been decided, for at most a minute. */
  async function bookUntilDecided(customer: Someone, slotId: string, baseAmountCents = 5000) {
    let answer = await book(customer, slotId, baseAmountCents);
    const deadline = Date.now() + 60_000;
    while (answer.status === 200 && answer.body.outcome === 'processing' && Date.now() < deadline) {
      await delay(120);
      answer = await call(customer, bookingsApi.settle, { bookingId: answer.body.bookingId });
    }
    return answer;
  }

  /** Completes or fails 3-D Secure, as the customer would on the bank's page. */
  async function authenticate(clientSecret: string, outcome: 'succeeded' | 'failed'): Promise<void> {
    expect(await answerBank(app, clientSecret, outcome)).toBe(200);
  }

  const readSlot = (slotId: string) =>
    db.selectFrom('lessonSlots').selectAll().where('slotId', '=', slotId).executeTakeFirstOrThrow();

  /** All bookings of a slot in the database, with their payments, oldest first. */
  const readBookings = (slotId: string) =>
    db
      .selectFrom('bookings as booking')
      .innerJoin('payments as payment', 'payment.paymentId', 'booking.paymentId')
      .leftJoinLateral(refundOfBooking.as<'refund'>(sql`refund`), (join) => join.onTrue())
      .selectAll('booking')
      .select(['payment.status as paymentStatus', 'stripePaymentIntentId', 'refund.refundStatus'])
      .where('slotId', '=', slotId)
      .orderBy('booking.createdAt')
      .execute();

  /** A booking's entries in the ledger, in the order in which they were written. */
  const readLedger = (bookingId: string) =>
    db
      .selectFrom('ledgerEntries')
      .select(['kind', 'amountCents'])
      .where('bookingId', '=', bookingId)
      .orderBy('entryId')
      .execute();

  /** Makes the payment of a slot's first booking this many seconds old; returns the booking. */
  async function agePayment(slotId: string, seconds: number) {
    const booking = (await readBookings(slotId))[0]!;
    const createdAt = new Date(Date.now() - seconds * 1000).toISOString();
    const payment = db.updateTable('payments').set({ createdAt });
    await payment.where('paymentId', '=', booking.paymentId).execute();
    return booking;
  }

  /** Makes all unfinished payments and refunds due now, and waits until a sweep has processed the payments. */
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

  /**
   * The charges for this slot in the Stripe simulator, each minus its refunds, in minor units. Omits fully refunded
   * charges.
   */
  async function netCharges(slotId: string): Promise<number[]> {
    const payments = new Set((await readBookings(slotId)).map(({ paymentId }) => paymentId));
    const ledger = await stripeSimulator.ledger();
    return ledger
      .filter(({ metadata }) => payments.has(metadata.payment_id ?? ''))
      .map(({ amount, refunds }) => amount - refunds.reduce((sum, refund) => sum + refund.amount, 0))
      .filter((net) => net !== 0);
  }

  /** The refunds of a booking's first payment in the Stripe simulator, in minor units, oldest first. */
  async function refundsAtStripe(bookingId: string): Promise<number[]> {
    const { paymentId } = await db
      .selectFrom('bookings')
      .select('paymentId')
      .where('bookingId', '=', bookingId)
      .executeTakeFirstOrThrow();
    const charge = (await stripeSimulator.ledger()).find(({ metadata }) => metadata.payment_id === paymentId);
    return charge!.refunds.map(({ amount }) => amount);
  }

  /** Waits until no refund is pending, then fails if our ledger and the Stripe simulator's disagree. */
  async function expectLedgerInOrder(): Promise<void> {
    await eventually(async () => {
      const waiting = await db
        .selectFrom('refunds')
        .select('refundId')
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return !waiting;
    }, 60_000);
    expect(await auditLedger(db, app.cards)).toEqual([]);
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
    readLedger,
    agePayment,
    sweep,
    netCharges,
    refundsAtStripe,
    expectLedgerInOrder,
  };
}
