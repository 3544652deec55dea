import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { idOf } from '#server/payments/save-card.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { findExternalMoney } from '../refunds/find-external-money.ts';

/** A broken rule and the rows that break it. */
export type Finding = { rule: string; rows: object[] };

/**
 * Checks the bookings and the ledger against the rules for money and seats (audit.sql) in one snapshot and, if a Stripe
 * client is given, against Stripe's charges and refunds. `since`, an instant, limits the comparison with Stripe to
 * later charges and refunds. With a Stripe client, first records disputes, and refunds made directly in Stripe. An
 * empty list means that nothing is wrong.
 */
export async function auditLedger(
  db: Database,
  cards?: Stripe,
  { since = null }: { since?: string | null } = {},
): Promise<Finding[]> {
  if (cards) await findExternalMoney(db, cards);
  const findings = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      return findBrokenRules(tx);
    });
  return cards ? [...findings, ...(await compareWithStripe(db, cards, since))] : findings;
}

/** Runs the rules of audit.sql in this transaction. */
export async function findBrokenRules(tx: Tx): Promise<Finding[]> {
  const broken: Finding[] = [];
  for (const { rule, statement } of await readRules()) {
    const { rows } = await sql.raw<object>(statement).execute(tx);
    if (rows.length > 0) broken.push({ rule, rows });
  }
  return broken;
}

/** The rules of audit.sql, each with its statement, in the order of the file. */
export async function readRules(): Promise<{ rule: string; statement: string }[]> {
  const text = await readFile(join(packageRoot, 'src/server/bookings/checks/audit.sql'), 'utf8');
  return text
    .split(/;\n/)
    .map((part) => ({
      rule:
        part
          .match(/^-- (.*)$/gm)
          ?.at(-1)
          ?.slice(3) ?? '',
      statement: part.replace(/^--.*$/gm, '').trim(),
    }))
    .filter(({ statement }) => statement !== '');
}

type OwnPayment = { paymentId: string; intentId: string | null; chargedCents: number; refundedCents: number };

type Charge = { paymentId: string; chargedCents: number; refundedCents: number };

/** The largest tolerated difference between our clock and Stripe's, in seconds. */
const overlapSeconds = 3_600;

/** Compares the amounts charged and refunded in our database and in Stripe, payment by payment. */
async function compareWithStripe(db: Database, cards: Stripe, since: string | null): Promise<Finding[]> {
  const earlier = since ? await readRefundedSince(db, since) : [];
  const theirs = await readCharges(cards, since, earlier);
  // Our own payments are read last. A change after Stripe's charges were read looks like a difference, which the next
  // run no longer finds.
  const ours = await db.transaction().execute((tx) => readPaid(tx, since, [...theirs.keys()]));
  const ownByIntent = new Map(ours.map((payment) => [payment.intentId, payment]));
  const rows: object[] = [];
  for (const [intentId, charge] of theirs) {
    const own = ownByIntent.get(intentId);
    const isSame =
      own?.paymentId === charge.paymentId &&
      own.chargedCents === charge.chargedCents &&
      own.refundedCents === charge.refundedCents;
    if (!isSame) rows.push({ intentId, stripe: charge, ledger: own ?? null });
  }
  for (const own of ours) {
    if (!theirs.has(own.intentId ?? '')) rows.push({ intentId: own.intentId, stripe: null, ledger: own });
  }
  return rows.length > 0 ? [{ rule: "Our ledger agrees with Stripe's", rows }] : [];
}

/**
 * Reads Stripe's charges with their refunds, by intent. Includes the intents in `earlier`, even those older than
 * `since`.
 */
async function readCharges(
  cards: Stripe,
  since: string | null,
  earlier: string[],
): Promise<Map<string, Charge>> {
  const charges = new Map<string, Charge>();
  const add = (intent: Stripe.PaymentIntent) => {
    const paymentId = intent.metadata.payment_id;
    if (!paymentId || intent.status !== 'succeeded') return;
    charges.set(intent.id, { paymentId, chargedCents: intent.amount_received, refundedCents: 0 });
  };
  const list = {
    limit: 100,
    ...(since && { created: { gte: Math.floor(Date.parse(since) / 1_000) - overlapSeconds } }),
  };
  for await (const intent of cards.paymentIntents.list(list)) add(intent);
  const others = new Set(earlier.filter((intentId) => !charges.has(intentId)));
  for await (const refund of cards.refunds.list(list)) {
    const intentId = idOf(refund.payment_intent) ?? '';
    const charge = charges.get(intentId);
    if (charge && refund.status === 'succeeded') charge.refundedCents += refund.amount;
    if (!charge && intentId && since) others.add(intentId);
  }
  for (const intentId of others) {
    add(await cards.paymentIntents.retrieve(intentId));
    const charge = charges.get(intentId);
    if (!charge) continue;
    for await (const refund of cards.refunds.list({ payment_intent: intentId, limit: 100 })) {
      if (refund.status === 'succeeded') charge.refundedCents += refund.amount;
    }
  }
  return charges;
}

/** Ids of the payment intents whose refunds have changed in our database since the given instant. */
async function readRefundedSince(db: Database, since: string): Promise<string[]> {
  const { rows } = await sql<{ intentId: string }>`
    select distinct payment.stripe_payment_intent_id as intent_id
    from refunds refund join payments payment using (payment_id)
    where refund.updated_at >= ${since}::timestamptz and payment.stripe_payment_intent_id is not null`.execute(
    db,
  );
  return rows.map(({ intentId }) => intentId);
}

async function readPaid(tx: Tx, since: string | null, intentIds: string[]): Promise<OwnPayment[]> {
  await sql`set local statement_timeout = 0`.execute(tx);
  const { rows } = await sql<OwnPayment>`
    select payment.payment_id, payment.stripe_payment_intent_id as intent_id,
      payment.amount_cents as charged_cents,
      (select coalesce(sum(refund.amount_cents - coalesce((
          select sum(covers_cents) from external_refunds where external_refunds.refund_id = refund.refund_id
        ), 0) - coalesce((
          select sum(entered_cents) from external_refunds where entered_refund_id = refund.refund_id
        ), 0)), 0) from refunds refund
        where refund.payment_id = payment.payment_id and refund.status = 'succeeded'
          and refund.reason <> 'dispute')::integer
      + (select coalesce(sum(amount_cents), 0) from external_refunds external
        where external.payment_id = payment.payment_id and external.status = 'succeeded')::integer as refunded_cents
    from payments payment
    where payment.status = 'succeeded' and payment.amount_cents > 0
      and (${since}::timestamptz is null or payment.created_at >= ${since}::timestamptz
        or payment.stripe_payment_intent_id = any(${intentIds}::text[]))`.execute(tx);
  return rows;
}
