import { afterEach, describe, expect, test } from 'vitest';
import type { Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

/** Revokes a role, acting as an admin who has seen the person's upcoming lessons. */
async function takeRole({ userId }: Someone, role: Role) {
  const notified = { expectedLessons: 100, expectedRefundCents: 1_000_000, successorId: null };
  const answer = await app.call(admin, adminApi.changeRole, { userId, role, isHeld: false, ...notified });
  expect(answer.error?.message).toBeUndefined();
}
const readFormerRoles = async (who: Someone) =>
  (await app.call(who, accountsApi.getProfile, {})).body.profile?.formerRoles;

describe('a former customer', () => {
  test('can read and cancel bookings and be refunded, but can no longer book [BOOK-2, ROLE-8]', async () => {
    const customer = await club.join();
    const [slotId, other] = [await club.publish(), await club.publish()];
    const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
    const soon = await club.publish({ startsInHours: 2 });
    const late = (await club.bookUntilDecided(customer, soon)).body;
    expect(await readFormerRoles(customer)).toEqual([]);
    await takeRole(customer, 'customer');
    expect(await readFormerRoles(customer)).toEqual(['customer']);

    const listed = await app.call(customer, bookingsApi.listMine, { view: 'upcoming' });
    expect(listed.body.bookings.map((booking) => booking.bookingId)).toEqual([late.bookingId, bookingId]);
    expect((await app.call(customer, bookingsApi.getMine, { bookingId })).status).toBe(200);
    expect((await app.call(customer, bookingsApi.listHeldSlots, {})).body.bookings).toHaveLength(2);
    expect((await club.book(customer, other)).status).toBe(403);
    expect((await app.call(customer, paymentsApi.startCardSetup, {})).status).toBe(403);
    const saving = await app.call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: 'pm_new' });
    expect(saving.status).toBe(403);

    const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
    expect(cancelled.error?.message).toBeUndefined();
    await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'refunded');
    expect(await club.netCharges(slotId)).toEqual([]);
    const receipt = await app.call(customer, bookingsApi.getMine, { bookingId });
    expect(receipt.body.booking.refund).toMatchObject({ amountCents: 5000, status: 'succeeded' });

    const unrefunded = { bookingId: late.bookingId, expectedRefundCents: 0 };
    expect((await app.call(customer, bookingsApi.cancel, unrefunded)).error?.message).toBeUndefined();
    expect((await club.readBookings(soon))[0]!.status).toBe('cancelled');
    expect(await club.netCharges(soon)).toEqual([5000]);
  });

  test('can complete or cancel an unfinished payment, and remove the saved card [ROLE-8]', async () => {
    const customer = await club.join(testCards.asksAlways);
    const begin = async (slotId: string) => {
      const { body } = await club.book(customer, slotId);
      if (body.outcome !== 'requiresAction') throw new Error(body.outcome);
      return body;
    };
    const [kept, given] = [await club.publish(), await club.publish()];
    const [paying, leaving] = [await begin(kept), await begin(given)];
    await takeRole(customer, 'customer');
    await club.authenticate(paying.clientSecret, 'succeeded');
    const settled = await app.call(customer, bookingsApi.settle, { bookingId: paying.bookingId });
    expect(settled.body).toMatchObject({ outcome: 'booked' });
    const { bookingId } = leaving;
    expect((await app.call(customer, bookingsApi.release, { bookingId })).status).toBe(200);
    expect((await club.readSlot(given)).bookedCount).toBe(0);

    expect((await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card).not.toBeNull();
    expect((await app.call(customer, paymentsApi.removePaymentMethod, {})).status).toBe(200);
    expect((await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card).toBeNull();
  });
});

describe('a former coach', () => {
  const account = { accountName: 'Ana Souza', sortCode: '08-99-99', accountNumber: '66374958' };

  test('can save bank details, be paid, and read earnings and payments [EARN-1, ROLE-8]', async () => {
    const coach = await app.signIn('coach');
    const slotId = await club.publish({ coachId: coach.userId });
    const { bookingId } = (await club.bookUntilDecided(await club.join(), slotId)).body;
    await club.putAt(slotId, -120);
    await takeRole(coach, 'coach');
    expect(await readFormerRoles(coach)).toEqual(['coach']);

    const saved = await app.call(coach, payoutsApi.saveBankDetails, account);
    expect(saved.error?.message).toBeUndefined();
    const { body: bank } = await app.call(coach, payoutsApi.getBankDetails, {});
    expect(bank.bankDetails).toMatchObject({ accountName: 'Ana Souza' });
    const earnings = await app.call(coach, earningsApi.getEarnings, {});
    expect(earnings.body).toMatchObject({ toComeCents: 4900, hasBankDetails: true });
    expect((await app.call(coach, earningsApi.listEarnings, {})).body.lines).toHaveLength(1);

    const preview = await app.call(admin, payoutsApi.previewPayrun, { bookingIds: [bookingId] });
    const { fingerprint } = preview.body;
    const made = await app.call(admin, payoutsApi.createPayrun, { bookingIds: [bookingId], fingerprint });
    expect(made.error?.message).toBeUndefined();
    const { payrunId } = made.body.payrun;
    expect((await app.call(admin, payoutsApi.getPayrunCsvRows, { payrunId })).status).toBe(200);
    expect((await app.call(admin, payoutsApi.markPayrunPaid, { payrunId })).status).toBe(200);
    const { body: paid } = await app.call(coach, earningsApi.listPayments, {});
    expect(paid.payments).toMatchObject([{ payrunId, amountCents: 4900 }]);
    const file = await app.call(coach, earningsApi.exportPayments, {});
    expect(file.body.csv).toContain('49.00');
    expect((await app.call(coach, catalogueApi.listTemplates, {})).status).toBe(403);
    const { templateId } = await club.readSlot(slotId);
    const day = wallTimeOf(Date.now() + 30 * 24 * 3_600_000).date;
    const lesson = { templateId, mode: 'dates', startDate: day, hour: 9, minute: 0 } as const;
    expect((await app.call(coach, slotsApi.createSlots, lesson)).status).toBe(403);
  });

  test('has no entry in formerRoles without earnings or bank details', async () => {
    const coach = await app.signIn('coach');
    await club.publish({ coachId: coach.userId });
    await takeRole(coach, 'coach');
    expect(await readFormerRoles(coach)).toEqual([]);
  });
});
