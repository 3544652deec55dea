import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { callStripe, isMissing } from './stripe-client.ts';

const refused = "We couldn't save your card just now. Please try again.";

/**
 * Makes a call with a person's Stripe customer record, which is created on first use. A record that Stripe does not
 * know (deleted there, or created with other API keys) is replaced, and its saved card is removed. Throws `conflict`
 * for a person without a profile, and the errors of {@link callStripe}.
 */
export async function withStripeCustomer<T>(
  db: Database,
  cards: Stripe,
  userId: string,
  call: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await ensureStripeCustomer(db, cards, userId);
  try {
    return await call(customer);
  } catch (error) {
    if (!isMissingCustomer(error)) throw error;
    await forgetStripeCustomer(db, userId, customer);
    return call(await ensureStripeCustomer(db, cards, userId, customer));
  }
}

function isMissingCustomer(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return isMissing(cause) && (cause as { param?: string }).param === 'customer';
}

/**
 * The id of a person's customer record. Concurrent calls get the same id: the idempotency key is derived from the
 * record's content, and the first stored id counts. `unknown` is an id that Stripe did not know.
 */
async function ensureStripeCustomer(
  db: Database,
  cards: Stripe,
  userId: string,
  unknown = '',
): Promise<string> {
  const read = () =>
    db
      .selectFrom('profiles')
      .select(['stripeCustomerId', 'email', 'fullName'])
      .where('userId', '=', userId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
  const profile = await read();
  if (!profile) throw new AppError('conflict', 'Please finish signing up first.');
  if (profile.stripeCustomerId) return profile.stripeCustomerId;
  const person = readPerson(profile);
  const parts = createHash('sha256')
    .update(JSON.stringify([person, unknown]))
    .digest('base64url');
  const customer = await callStripe(
    () =>
      cards.customers.create(
        { ...person, metadata: { user_id: userId } },
        { idempotencyKey: `customer-${userId}-${parts}` },
      ),
    refused,
  );
  await db
    .updateTable('profiles')
    .set({ stripeCustomerId: customer.id })
    .where('userId', '=', userId)
    .where('stripeCustomerId', 'is', null)
    .where('deletedAt', 'is', null)
    .execute();
  const stored = (await read())?.stripeCustomerId;
  if (!stored) throw new AppError('conflict', refused);
  return stored;
}

/** A person's details for Stripe, used by its fraud checks and the operator's dashboard. */
function readPerson({ email, fullName }: { email: string; fullName: string }) {
  // A profile created without a sign-up form has "Unknown" as its email address.
  return { ...(email.includes('@') && { email }), name: fullName.slice(0, 256) };
}

async function forgetStripeCustomer(db: Database, userId: string, customer: string): Promise<void> {
  await db
    .updateTable('profiles')
    .set({
      stripeCustomerId: null,
      stripePaymentMethodId: null,
      paymentMethodBrand: null,
      paymentMethodLastFour: null,
      paymentMethodExpMonth: null,
      paymentMethodExpYear: null,
      cardExpiryWarnedAt: null,
    })
    .where('userId', '=', userId)
    .where('stripeCustomerId', '=', customer)
    .execute();
}

/**
 * Updates a person's name and email address at Stripe. Ignores a record that Stripe does not know:
 * {@link withStripeCustomer} replaces it. Otherwise throws like {@link callStripe}.
 */
export async function updateStripeCustomer(
  db: Database,
  cards: Stripe,
  userId: string,
  customer: string,
): Promise<void> {
  const profile = await db
    .selectFrom('profiles')
    .select(['email', 'fullName'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!profile) return;
  try {
    await callStripe(() => cards.customers.update(customer, readPerson(profile)), refused);
  } catch (error) {
    if (!(error instanceof AppError && isMissing(error.cause))) throw error;
  }
}
