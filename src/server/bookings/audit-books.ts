import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { idOf } from '#server/payments/save-card.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { packageRoot } from '#server/platform/package-root.ts';

/** One broken rule and the rows that break it. */
export type Finding = { rule: string; rows: object[] };

/**
 * Checks the books against the rules of money and seats (audit.sql) at one moment, and, given the card network,
 * against its ledger. An empty answer means that all is well.
 */
export async function auditBooks(db: Database, cards?: Stripe): Promise<Finding[]> {
  const rules = await readRules();
  const findings = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      const broken: Finding[] = [];
      for (const { rule, statement } of rules) {
        const { rows } = await sql.raw<object>(statement).execute(tx);
        if (rows.length > 0) broken.push({ rule, rows });
      }
      return broken;
    });
  return cards ? [...findings, ...(await compareWithCardNetwork(db, cards))] : findings;
}

async function readRules(): Promise<{ rule: string; statement: string }[]> {
  const text = await readFile(join(packageRoot, 'src/server/bookings/audit.sql'), 'utf8');
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

/** Both ledgers, payment by payment: what was taken and what went back. */
async function compareWithCardNetwork(db: Database, cards: Stripe): Promise<Finding[]> {
  const theirs = new Map<string, { paymentId: string; chargedCents: number; refundedCents: number }>();
  for await (const intent of cards.paymentIntents.list({ limit: 100 })) {
    const paymentId = intent.metadata.payment_id;
    if (!paymentId || intent.status !== 'succeeded') continue;
    theirs.set(intent.id, { paymentId, chargedCents: intent.amount_received, refundedCents: 0 });
  }
  for await (const refund of cards.refunds.list({ limit: 100 })) {
    const charge = theirs.get(idOf(refund.payment_intent) ?? '');
    if (charge && refund.status === 'succeeded') charge.refundedCents += refund.amount;
  }
  // Ours is read last, so what happened in between shows as a difference that the next run no longer has.
  const ours = await db.transaction().execute(readPaid);
  const ownByIntent = new Map(ours.map((payment) => [payment.intentId, payment]));
  const rows: object[] = [];
  for (const [intentId, charge] of theirs) {
    const own = ownByIntent.get(intentId);
    const isSame =
      own?.paymentId === charge.paymentId &&
      own.chargedCents === charge.chargedCents &&
      own.refundedCents === charge.refundedCents;
    if (!isSame) rows.push({ intentId, cardNetwork: charge, books: own ?? null });
  }
  for (const own of ours) {
    if (!theirs.has(own.intentId ?? '')) rows.push({ intentId: own.intentId, cardNetwork: null, books: own });
  }
  return rows.length > 0 ? [{ rule: "The books agree with the card network's ledger", rows }] : [];
}

async function readPaid(tx: Tx): Promise<OwnPayment[]> {
  await sql`set local statement_timeout = 0`.execute(tx);
  const { rows } = await sql<OwnPayment>`
    select payment.payment_id, payment.stripe_payment_intent_id as intent_id,
      payment.amount_cents as charged_cents,
      (select coalesce(sum(refund.amount_cents - coalesce((
          select sum(covers_cents) from external_refunds where external_refunds.refund_id = refund.refund_id
        ), 0)), 0) from refunds refund
        where refund.payment_id = payment.payment_id and refund.status = 'succeeded')::integer
      + (select coalesce(sum(amount_cents), 0) from external_refunds external
        where external.payment_id = payment.payment_id and external.status = 'succeeded')::integer as refunded_cents
    from payments payment
    where payment.status = 'succeeded' and payment.amount_cents > 0`.execute(tx);
  return rows;
}
