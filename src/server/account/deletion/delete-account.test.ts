import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addTemplate, writeSales } from '#server/test-support/lessons.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const deleteAccount = (who: Someone) => app.call(who, ownAccountApi.deleteAccount, {});
const blockersOf = async (who: Someone) => (await app.call(who, ownAccountApi.getDeletion, {})).body.blockers;

/** The Stripe id of the person's saved card. */
async function readCardId({ userId }: Someone) {
  const { stripePaymentMethodId } = await app.db
    .selectFrom('profiles')
    .select('stripePaymentMethodId')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return stripePaymentMethodId!;
}

test("deletes a customer's account and keeps the booking without the name [AUTH-14b, AUTH-14c]", async () => {
  const customer = await club.join();
  const cardId = await readCardId(customer);
  const { customer: stripeCustomerId } = await app.cards.paymentMethods.retrieve(cardId);
  const slotId = await club.publish();
  const booked = await club.bookUntilDecided(customer, slotId);
  expect(booked.status).toBe(200);

  const refused = await deleteAccount(customer);
  expect(refused.status).toBe(409);
  expect(refused.error?.message).toBe("You have 1 upcoming booking. Cancel it, or wait until it's over.");
  expect(refused.error?.details).toEqual({ blockers: await blockersOf(customer) });
  expect((await app.call(customer, accountsApi.getProfile, {})).status, 'the session is still open').toBe(
    200,
  );

  await club.putAt(slotId, -180);
  expect(await blockersOf(customer)).toEqual([]);
  const elsewhere = await app.openSession(customer.email);
  expect((await deleteAccount(customer)).status).toBe(200);

  expect((await app.call(customer, accountsApi.getProfile, {})).status).toBe(401);
  const refreshed = await app.auth(null, '/token?grant_type=refresh_token', {
    body: { refresh_token: elsewhere.refresh_token },
  });
  expect(refreshed.status).toBe(400);
  await expect(app.openSession(customer.email)).rejects.toThrow('invalid_credentials');
  const goodbye = await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.includes('was deleted')),
  );
  expect(goodbye.text).toContain('sign up again with this email address');
  await eventually(async () => (await app.cards.paymentMethods.retrieve(cardId)).customer === null);
  await eventually(async () => (await app.cards.customers.retrieve(stripeCustomerId as string)).deleted);

  const { body } = await app.call(club.coach, lessonsApi.listAttendees, { slotId });
  expect(body.attendees).toMatchObject([{ fullName: 'Deleted account', email: '', amountCents: 5000 }]);
  await club.expectLedgerInOrder();
  const traces = await app.db
    .selectFrom('profiles')
    .selectAll()
    .where('userId', '=', customer.userId)
    .execute();
  expect(JSON.stringify(traces)).not.toContain(customer.email);
  expect(traces[0]).toMatchObject({ roles: [], stripeCustomerId: null, paymentMethodLastFour: null });
  const logged = await app.db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', '=', customer.userId)
    .where('action', '=', 'account.deleted')
    .execute();
  expect(logged).toMatchObject([{ actorUserId: customer.userId, before: null, after: null }]);

  // The address can be used to sign up again.
  const again = await app.auth(null, '/signup', {
    body: { email: customer.email, password: 'another-corner-flag' },
  });
  expect(again.status).toBe(200);
  await eventually(async () =>
    (await app.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('Confirm your email')),
  );
});

test('refuses to delete an account while a payment is pending [AUTH-14c]', async () => {
  const customer = await club.join(testCards.asksAlways);
  const slotId = await club.publish();
  const { body } = await club.book(customer, slotId);
  expect(body.outcome).toBe('requiresAction');
  // Moves the lesson into the past, so that only the payment blocks deletion. No other test's lesson with this coach
  // is that far back.
  await club.putAt(slotId, -300);
  const refused = await deleteAccount(customer);
  expect([refused.status, refused.error?.message]).toEqual([
    409,
    'One of your payments is still processing. It will finish within the hour.',
  ]);
  expect((await app.call(customer, bookingsApi.release, { bookingId: body.bookingId })).status).toBe(200);
  expect((await deleteAccount(customer)).status).toBe(200);
});

test('requires refunds to be paid and a fresh proof of identity before deletion [AUTH-14c]', async () => {
  const customer = await club.join();
  const booked = await club.bookUntilDecided(customer, await club.publish());
  const { body } = booked;
  await app.call(customer, bookingsApi.cancel, { bookingId: body.bookingId, expectedRefundCents: 5000 });
  await club.expectLedgerInOrder();
  const owed = "You're still owed a refund of £50.00. Wait until it has been paid.";
  for (const state of [
    { status: 'pending', givenUpAt: null },
    { status: 'failed', givenUpAt: new Date().toISOString() },
  ] as const) {
    await app.db.updateTable('refunds').set(state).execute();
    expect(await blockersOf(customer)).toEqual([owed]);
    const { status, error } = await deleteAccount(customer);
    expect([status, error?.message]).toEqual([409, owed]);
  }
  await app.db.updateTable('refunds').set({ status: 'succeeded', givenUpAt: null }).execute();

  const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
  await app.db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', customer.userId).execute();
  const refused = await deleteAccount(customer);
  expect([refused.status, refused.error?.code]).toEqual([403, 'confirmation_required']);
  const confirmed = await app.auth(customer, '/user', {
    method: 'PUT',
    body: { current_password: 'correct-horse-battery' },
  });
  expect(confirmed.status).toBe(200);
  expect((await deleteAccount(customer)).status).toBe(200);
});

test('deletes a coach only after lessons, payouts and a transfer of team ownership [AUTH-14c]', async () => {
  const admin = await app.signIn('admin');
  const coach = await app.signIn('coach', 'customer');
  const account = { accountName: 'Pat Gone', sortCode: '08-99-99', accountNumber: '66374958' };
  await app.call(coach, payoutsApi.saveBankDetails, account);
  await app.call(coach, businessesApi.saveCoachProfile, { bio: 'Thirty years on clay.' });
  await app.call(coach, businessesApi.saveBusiness, { businessName: 'Gone Tennis' });
  const mate = await app.signIn('coach');
  const { businessId } = await app.db
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  await app.db.updateTable('coaches').set({ businessId }).where('coachId', '=', mate.userId).execute();
  const [slotId, emptySlotId] = [
    await club.publish({ coachId: coach.userId }),
    await club.publish({ coachId: coach.userId }),
  ];
  const customer = await club.join();
  const { body: booking } = await club.bookUntilDecided(customer, slotId);
  const earned = /^You've earned £\d\d\.\d\d that hasn't been paid out yet/;
  const leaderless = /^No other owner can take over Gone Tennis, and its team has other members/;
  expect(await blockersOf(coach)).toEqual([
    "You have 1 booked lesson to coach. Cancel it, or wait until it's over.",
    expect.stringMatching(earned),
    expect.stringMatching(leaderless),
  ]);
  const expectRefused = async (message: unknown) => {
    const { status, error } = await deleteAccount(coach);
    expect([status, error?.message]).toEqual([409, message]);
  };
  await expectRefused("You have 1 booked lesson to coach. Cancel it, or wait until it's over.");
  await club.putAt(slotId, -180);
  await expectRefused(expect.stringMatching(earned));
  const { body: made } = await app.call(admin, payoutsApi.createPayrun, { bookingIds: [booking.bookingId] });
  expect(await blockersOf(coach)).toContain('A payout is on its way to you. Wait until it has arrived.');
  expect((await deleteAccount(coach)).status).toBe(409);
  await app.call(admin, payoutsApi.markPayrunPaid, { payrunId: made.payrun.payrunId });
  expect(await blockersOf(coach)).toEqual([expect.stringMatching(leaderless)]);
  const owner = { coachId: mate.userId, businessRole: 'owner' as const };
  expect((await app.call(coach, businessesApi.changeBusinessRole, owner)).status).toBe(200);

  expect(await blockersOf(coach)).toEqual([]);
  expect((await deleteAccount(coach)).status).toBe(200);
  const row = await app.db
    .selectFrom('coaches')
    .selectAll()
    .where('coachId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ isActive: false, bio: null, businessId: null, businessRole: 'employee' });
  const banked = await app.db
    .selectFrom('coachBankDetails')
    .select('coachId')
    .where('coachId', '=', coach.userId)
    .execute();
  expect(banked).toEqual([]);
  const slots = await app.db
    .selectFrom('lessonSlots')
    .select(['slotId', 'status'])
    .where('coachId', '=', coach.userId)
    .execute();
  expect(slots).toEqual([expect.objectContaining({ slotId })]);
  expect((await app.call(null, slotsApi.getOpenSlot, { slotId })).status).toBe(404);
  expect((await club.book(customer, emptySlotId)).status).toBe(404);
  const { body: found } = await app.call(null, discoverApi.discoverSlots, {});
  expect(JSON.stringify(found)).not.toContain(coach.userId);
  const { body: receipt } = await app.call(customer, bookingsApi.getMine, { bookingId: booking.bookingId });
  // The receipt still names the coach the customer paid.
  expect(receipt.booking.coachName).toMatch(/^Person \d+$/);
  const { body: users } = await app.call(admin, adminApi.listUsers, {});
  expect(users.users.map(({ userId }) => userId)).not.toContain(coach.userId);
  const grant = { userId: coach.userId, role: 'coach' as const, isHeld: true };
  expect((await app.call(admin, adminApi.changeRole, grant)).status).toBe(404);
  await club.expectLedgerInOrder();
});

test('requires a fresh proof of identity for data downloads and allows ten an hour [AUTH-14a]', async () => {
  const customer = await app.signIn('customer');
  // Being signed in is not enough, even right after signing in.
  const wrong = { ...ownProof, proof: 'not-the-password' };
  const refused = await app.call(customer, ownAccountApi.getOwnData, wrong);
  expect([refused.status, refused.error?.message]).toEqual([422, 'This is not your current password.']);
  const code = { proofKind: 'code', proof: '123456' } as const;
  expect((await app.call(customer, ownAccountApi.getOwnData, code)).status).toBe(422);
  const bare = { method: 'POST', headers: { authorization: `Bearer ${customer.token}` } };
  expect((await fetch(`${app.url}/api/account/data`, bare)).status, 'no proof').toBe(422);
  const statuses: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    statuses.push((await app.call(customer, ownAccountApi.getOwnData, ownProof)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test("ends an admin's access immediately when the role is revoked", async () => {
  const [first, second] = [await app.signIn('admin'), await app.signIn('admin', 'customer')];
  expect((await app.call(second, adminApi.listUsers, {})).status).toBe(200);
  const change = { userId: second.userId, role: 'admin' as const, isHeld: false };
  expect((await app.call(first, adminApi.changeRole, change)).status).toBe(200);
  expect((await app.call(second, adminApi.listUsers, {})).status).toBe(403);
  expect((await app.call(second, adminApi.changeRole, { ...change, isHeld: true })).status).toBe(403);
  expect((await app.call(second, bookingsApi.listMine, {})).status, 'the other role stays').toBe(200);
});

test('notifies the other admins when an admin deletes their account', async () => {
  const [leaver, other] = [await app.signIn('admin'), await app.signIn('admin')];
  const { fullName } = await app.db
    .selectFrom('profiles')
    .select('fullName')
    .where('userId', '=', leaver.userId)
    .executeTakeFirstOrThrow();
  // These calls notify other people of what the leaver did.
  const promoted = await app.signIn('customer');
  for (const role of ['coach', 'admin'] as const) {
    const change = { userId: promoted.userId, role, isHeld: true };
    expect((await app.call(leaver, adminApi.changeRole, change)).error?.message).toBeUndefined();
  }
  const revoked = { userId: promoted.userId, role: 'admin' as const, isHeld: false };
  expect((await app.call(leaver, adminApi.changeRole, revoked)).error?.message).toBeUndefined();
  expect((await deleteAccount(leaver)).status).toBe(200);
  const received = await eventually(async () =>
    (await app.emailsTo(other.email)).find(({ subject }) => subject.startsWith('An admin at')),
  );
  expect(received.text).toContain(`${fullName} gave up the admin role`);
  const listed = await app.db
    .selectFrom('notifications')
    .select(['title', 'summary'])
    .where('userId', '=', other.userId)
    .where('kind', '=', 'control_changed')
    .orderBy('createdAt', 'desc')
    .execute();
  expect(listed[0]).toMatchObject({ title: received.subject });
  expect(listed).toHaveLength(3);
  const naming = await app.db
    .selectFrom('notifications')
    .select(['title', 'summary'])
    .where(sql<boolean>`concat(title, summary) ~ ${`${fullName}\\M`}`)
    .execute();
  expect(naming, 'no notification names the deleted person').toEqual([]);
  const ownEmails = () => app.emailsTo(leaver.email);
  await eventually(async () => (await ownEmails()).length > 0);
  expect((await ownEmails()).map(({ subject }) => subject)).toEqual([expect.stringContaining('was deleted')]);
});

// This test comes last because it writes a payout that is neither in a payrun nor at Stripe.
test('refuses to delete a coach who was paid for a lesson refunded later [AUTH-14c]', async () => {
  const [coach, customer] = [await app.signIn('coach'), await app.signIn('customer')];
  const templateId = await addTemplate(app.db, coach.userId, { isIndividual: true });
  const [bookingId] = await writeSales(app.db, customer.userId, [
    {
      ...{ templateId, coachId: coach.userId, startMs: Date.now() - 48 * 3_600_000 },
      ...{ priceCents: 5000, feeCents: 100, refundCents: 5000, feeBackCents: 100 },
    },
  ]);
  expect(await blockersOf(coach)).toEqual([]);
  const entry = {
    bookingId: bookingId!,
    kind: 'paid_out' as const,
    amountCents: -4900,
    sourceId: randomUUID(),
  };
  await app.db.insertInto('ledgerEntries').values(entry).execute();
  const { status, error } = await deleteAccount(coach);
  expect([status, error?.message]).toEqual([
    409,
    'You were paid £49.00 for lessons that were refunded later. Please contact us to settle this first.',
  ]);
});
