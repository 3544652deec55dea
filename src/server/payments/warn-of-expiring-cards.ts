import { sql } from 'kysely';
import type Stripe from 'stripe';
import { lastDayOf, monthsExpiringSoon } from '#domain/payments/card-expiry.ts';
import { formatDay, wallTimeOf } from '#domain/time.ts';
import { notify } from '#server/notifications/notify.ts';
import { type Recipient, recipientObject } from '#server/notifications/recipients.ts';
import { composeCardExpiryMessage } from '#server/notifications/templates/card-expiry.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { isMissing } from './stripe-client.ts';

type Parts = { db: Database; cards: Stripe };
type Expiring = {
  customer: Recipient;
  paymentMethodBrand: string;
  paymentMethodLastFour: string;
  paymentMethodExpMonth: number;
  paymentMethodExpYear: number;
};

const batchSize = 100;

/** Notifies every customer whose saved card expires within 30 days, once per card. */
export async function warnOfExpiringCards(parts: Parts): Promise<void> {
  await readMissingExpiries(parts);
  while ((await parts.db.transaction().execute((tx) => warnBatch(tx))) === batchSize);
}

async function warnBatch(tx: Tx): Promise<number> {
  const now = Date.now();
  const due = monthsExpiringSoon(wallTimeOf(now).date);
  if (due.length === 0) return 0;
  const { rows } = await sql<Expiring>`
    update profiles set card_expiry_warned_at = now()
    where user_id = any(array(
      select user_id from profiles
      where card_expiry_warned_at is null and deleted_at is null and roles @> '{customer}'
        and (payment_method_exp_year, payment_method_exp_month) in (
          ${sql.join(due.map(({ expYear, expMonth }) => sql`(${expYear}::int, ${expMonth}::int)`))})
      limit ${batchSize} for update skip locked))
    returning ${recipientObject('profiles')} as customer, payment_method_brand, payment_method_last_four, payment_method_exp_month,
      payment_method_exp_year`.execute(tx);
  for (const row of rows) {
    const lastDay = lastDayOf({ expMonth: row.paymentMethodExpMonth, expYear: row.paymentMethodExpYear })!;
    const message = composeCardExpiryMessage({
      fullName: row.customer.fullName,
      card: { brand: row.paymentMethodBrand, lastFour: row.paymentMethodLastFour },
      lastDay: formatDay(`${lastDay}T12:00:00Z`, now),
    });
    const { userId } = row.customer;
    await notify(tx, row.customer, { kind: 'card_expiring', subjectId: userId }, message);
  }
  return rows.length;
}

/** Reads missing expiry dates from Stripe, one card at a time. */
async function readMissingExpiries({ db, cards }: Parts): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const profiles = await db
      .selectFrom('profiles')
      .select(['userId', 'stripePaymentMethodId'])
      .where('stripePaymentMethodId', 'is not', null)
      .where('paymentMethodExpYear', 'is', null)
      .where('userId', '>', after)
      .orderBy('userId')
      .limit(batchSize)
      .execute();
    for (const { userId, stripePaymentMethodId } of profiles) {
      after = userId;
      const method = await readCard(cards, stripePaymentMethodId!);
      if (!method) continue;
      await db
        .updateTable('profiles')
        .set({ paymentMethodExpMonth: method.exp_month, paymentMethodExpYear: method.exp_year })
        .where('userId', '=', userId)
        .where('stripePaymentMethodId', '=', stripePaymentMethodId)
        .execute();
    }
    if (profiles.length < batchSize) return;
  }
}

async function readCard(cards: Stripe, methodId: string): Promise<Stripe.PaymentMethod.Card | undefined> {
  try {
    return (await cards.paymentMethods.retrieve(methodId)).card;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
