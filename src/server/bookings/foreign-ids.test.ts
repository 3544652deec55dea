import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

type Refused = { status: number; error: ErrorBody['error'] | undefined };
const unknownId = '00000000-0000-4000-8000-000000000000';

test("responds identically for other people's and missing records [ROLE-2]", async () => {
  const [owner, asking, stranger] = [
    await club.join(),
    await club.join(testCards.asksAlways),
    await club.join(),
  ];
  const booked = (await club.book(owner, await club.publish())).body.bookingId;
  const pending = (await club.book(asking, await club.publish())).body.bookingId;
  const cancelled = (await club.book(owner, await club.publish())).body.bookingId;
  await app.call(owner, bookingsApi.cancel, { bookingId: cancelled, expectedRefundCents: 5000 });
  const { stripePaymentMethodId } = await app.db
    .selectFrom('profiles')
    .select('stripePaymentMethodId')
    .where('userId', '=', owner.userId)
    .executeTakeFirstOrThrow();

  const probes: [string, string[], (id: string) => Promise<Refused>][] = [
    [
      'settle',
      [booked, pending, cancelled],
      (bookingId) => app.call(stranger, bookingsApi.settle, { bookingId }),
    ],
    [
      'release',
      [booked, pending, cancelled],
      (bookingId) => app.call(stranger, bookingsApi.release, { bookingId }),
    ],
    [
      'read',
      [booked, pending, cancelled],
      (bookingId) => app.call(stranger, bookingsApi.getMine, { bookingId }),
    ],
    [
      'cancel',
      [booked, pending, cancelled],
      (bookingId) => app.call(stranger, bookingsApi.cancel, { bookingId, expectedRefundCents: 1 }),
    ],
  ];
  for (const [name, ids, probe] of probes) {
    const unknown = await probe(unknownId);
    expect(unknown.status, name).toBe(404);
    for (const id of ids) expect(bare(await probe(id)), name).toEqual(bare(unknown));
  }
  const save = (paymentMethodId: string) =>
    app.call(stranger, paymentsApi.setupPaymentMethod, { paymentMethodId });
  const unknown = await save('pm_1NobodyHasThisOne');
  expect(unknown.status).toBe(422);
  expect(bare(await save(stripePaymentMethodId!))).toEqual(bare(unknown));
});

/** The response without its request id, the only part that may differ. */
const bare = ({ status, error }: Refused) => ({ status, ...error, requestId: undefined });
