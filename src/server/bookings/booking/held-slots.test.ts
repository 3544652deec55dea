import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

test('lists only upcoming lessons that the customer has booked and not cancelled', async () => {
  const [customer, other] = [await club.join(), await club.join()];
  const [booked, cancelled, past, notOwn] = [
    await club.publish(),
    await club.publish(),
    await club.publish(),
    await club.publish(),
  ];
  const { bookingId } = (await club.book(customer, booked)).body;
  const given = (await club.book(customer, cancelled)).body.bookingId;
  await club.book(customer, past);
  await club.book(other, notOwn);
  await app.call(customer, bookingsApi.cancel, { bookingId: given, expectedRefundCents: 5000 });
  await club.putAt(past, -180);
  const { body } = await app.call(customer, bookingsApi.listHeldSlots, {});
  expect(body.bookings).toEqual([
    { slotId: booked, bookingId, participantId: customer.userId, status: 'booked' },
  ]);
});
