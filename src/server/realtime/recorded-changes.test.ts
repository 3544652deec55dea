import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { PrivateTopic } from '#domain/changes.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf } from '#server/test-support/contract-client.test-support.ts';
import {
  addPayableCoach,
  bankAccount,
  writeSoldLessons,
} from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

/** The key is a person's id; for admins it is the kind. */
type Change = { topic: PrivateTopic; key: string; kind: string | null };

/** Expects an action to record each of these changes, which live updates send to the people of the topic. */
async function expectRecorded(action: () => Promise<unknown>, ...changes: Change[]): Promise<void> {
  await app.db.deleteFrom('changes').execute();
  await action();
  for (const change of changes) {
    await eventually(async () => {
      const recorded = await app.db.selectFrom('changes').select(['topic', 'key', 'kind']).execute();
      return recorded.some((row) => isDeepStrictEqual({ ...row }, change));
    });
  }
}

test("records changes to a coach's slots [RT-5b]", async () => {
  const coach = await app.signIn('coach');
  const call: Change = { topic: 'coach', key: coach.userId, kind: 'slots' };
  const lesson = { title: 'Rally', sport: 'tennis', durationMinutes: 60, basePriceCents: 2000 } as const;
  const { template } = await outputOf(
    app.call(coach, catalogueApi.createTemplate, {
      ...lesson,
      lessonType: 'individual',
      minCapacity: 1,
      maxCapacity: 1,
    }),
  );
  const court = { name: 'Court 2', address: '9 Mill Lane', city: 'York', postcode: 'YO1 7HH' };
  const { location } = await outputOf(app.call(coach, catalogueApi.createLocation, court));
  const { templateId } = template;
  const at = { mode: 'dates', hour: 10, minute: 0, locationId: location.locationId } as const;
  const startDate = addDays(wallTimeOf(Date.now()).date, 3);
  const publish = () => outputOf(app.call(coach, slotsApi.createSlots, { templateId, startDate, ...at }));
  await expectRecorded(publish, call);
  const rename = { ...location, address: '11 Mill Lane' };
  await expectRecorded(() => outputOf(app.call(coach, catalogueApi.updateLocation, rename)), call);
  // A change to any column of a location counts: deleting a location sets `deleted_at`.
  const { locationId } = location;
  await expectRecorded(() => outputOf(app.call(coach, catalogueApi.deleteLocation, { locationId })), call);
  const slots = await app.db
    .selectFrom('lessonSlots')
    .select('slotId')
    .where('templateId', '=', templateId)
    .execute();
  const { slotId } = slots[0]!;
  await expectRecorded(() => outputOf(app.call(coach, lessonsApi.deleteSlot, { slotId })), call);
});

test("records changes to a customer's bookings: location, title and refund [RT-5a]", async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  const call: Change = { topic: 'user', key: customer.userId, kind: 'bookings' };
  const hall = { name: 'Park Hall', address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
  const { location } = await outputOf(app.call(club.coach, catalogueApi.createLocation, hall));
  const edited = {
    slotId,
    locationId: location.locationId,
    priceCents: 5000,
    minCapacity: 2,
    maxCapacity: 4,
  };
  await expectRecorded(() => outputOf(app.call(club.coach, lessonsApi.editSlot, edited)), call);
  const { templateId } = await club.readSlot(slotId);
  const lesson = {
    title: 'Tennis for all',
    sport: 'tennis',
    durationMinutes: 60,
    basePriceCents: 5000,
  } as const;
  const changed = {
    templateId: templateId!,
    ...lesson,
    lessonType: 'group',
    minCapacity: 2,
    maxCapacity: 20,
  } as const;
  await expectRecorded(() => outputOf(app.call(club.coach, catalogueApi.updateTemplate, changed)), call);
  const cancelled = { bookingId, expectedRefundCents: 5000 };
  await outputOf(app.call(customer, bookingsApi.cancel, cancelled));
  await eventually(async () => (await club.readBookings(slotId))[0]!.refundStatus === 'succeeded');
  const fail = app.db.updateTable('refunds').set({ status: 'failed', givenUpAt: new Date().toISOString() });
  const { paymentId } = (await club.readBookings(slotId))[0]!;
  await expectRecorded(() => fail.where('paymentId', '=', paymentId!).execute(), call);
});

test('records changes to payable bookings and to earnings [RT-5b, RT-5c]', async () => {
  const payruns: Change = { topic: 'admin', key: 'payruns', kind: null };
  const payable: Change = { topic: 'admin', key: 'payable', kind: null };
  const slotId = await club.publish();
  await club.bookUntilDecided(await club.join(), slotId);
  await club.putAt(slotId, -30);
  await expectRecorded(() => outputOf(app.call(club.coach, lessonsApi.completeSlot, { slotId })), payable);

  const coach = await addPayableCoach(app);
  const earnings: Change = { topic: 'coach', key: coach.userId, kind: 'earnings' };
  const details = { ...bankAccount, accountName: 'Ana de Souza' };
  await expectRecorded(
    () => outputOf(app.call(coach, payoutsApi.saveBankDetails, details)),
    payable,
    earnings,
  );
  const bookingIds = await writeSoldLessons(app, coach, { count: 2, endedAt: Date.now() - 7_200_000 });
  const create = () =>
    outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds: bookingIds.slice(1) }));
  let payrunId = '';
  const createOne = async () => {
    payrunId = (await create()).payrun.payrunId;
  };
  await expectRecorded(createOne, payable, earnings, payruns);
  const pay = () => outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId }));
  await expectRecorded(pay, payable, earnings, payruns);

  const { paymentId } = await app.db
    .selectFrom('bookings')
    .select('paymentId')
    .where('bookingId', '=', bookingIds[0]!)
    .executeTakeFirstOrThrow();
  const of = { paymentId: paymentId!, amountCents: 5000 };
  const dispute = { ...of, disputeId: `dp_${randomUUID()}`, status: 'needs_response' as const };
  await expectRecorded(() => app.db.insertInto('disputes').values(dispute).execute(), payable);
  await expectRecorded(() => app.db.updateTable('disputes').set({ status: 'won' }).execute(), payable);
  const refund = { ...of, stripeRefundId: `re_${randomUUID()}`, madeAt: new Date().toISOString() };
  const insert = app.db.insertInto('externalRefunds').values({ ...refund, status: 'succeeded' });
  await expectRecorded(() => insert.execute(), payable);
});
