import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { checkoutApi, type SeatToBook } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { bookSeats } from './book-seats.ts';
import { createFactsReader } from './booking-facts.ts';
import { checkOut } from './checkouts.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
afterEach(() => club.expectLedgerInOrder());

const publish = (count: number, slot: Parameters<typeof club.publish>[0] = {}) =>
  Promise.all(Array.from({ length: count }, () => club.publish(slot)));
const statusesOf = async (slotId: string) => (await club.readBookings(slotId)).map(({ status }) => status);
const seatsOf = (slotIds: string[]) =>
  Promise.all(slotIds.map(async (slotId) => (await club.readSlot(slotId)).bookedCount));

/** Adds a parent with two children whose care details are complete. */
async function joinFamily(card: string | null = testCards.good) {
  const parent = await club.join(card);
  const mia = await family.addReadyChild(parent, { fullName: 'Mia Morgan', knownAs: 'Mia' });
  const leo = await family.addReadyChild(parent, { fullName: 'Leo Morgan' });
  return { parent, mia, leo };
}

/** Publishes two lessons by different coaches. The second lesson starts half an hour after the first. */
async function publishTwins() {
  const other = await app.signIn('coach');
  const [first, second] = [await club.publish(), await club.publish({ coachId: other.userId })];
  const { startTime } = await club.readSlot(first);
  await club.putOn(second, Date.parse(startTime) + 30 * 60_000);
  return [first, second] as const;
}

const authenticate = async (customer: Someone, attempt: { bookingId: string; clientSecret?: string }) => {
  await club.authenticate(attempt.clientSecret!, 'succeeded');
  return app.call(customer, bookingsApi.settle, { bookingId: attempt.bookingId });
};

test('books three lessons for two children and a parent with one 3-D Secure check [PART-10a]', async () => {
  const { parent, mia, leo } = await joinFamily(testCards.asksAlways);
  const slotIds = [
    await club.publish({ priceCents: 1000 }),
    await club.publish({ priceCents: 2000 }),
    await club.publish({ priceCents: 4000 }),
  ];
  const people = [mia, leo, undefined];
  const asked = await checkOut(
    app,
    parent,
    slotIds.map((slotId, index) => ({
      ...{ slotId, participantId: people[index], baseAmountCents: [1000, 2000, 4000][index]! },
    })),
  );
  expect(asked.body?.outcome).toBe('requiresAction');
  const { body } = await authenticate(parent, asked.body as { bookingId: string });
  expect(body.outcome).toBe('booked');
  expect(await Promise.all(slotIds.map(statusesOf))).toEqual([['booked'], ['booked'], ['booked']]);
  // All three lessons share one charge.
  expect(await Promise.all(slotIds.map(club.netCharges))).toEqual([[7000], [7000], [7000]]);
  const [booking] = await club.readBookings(slotIds[1]!);
  const { body: read } = await app.call(parent, bookingsApi.getMine, { bookingId: booking!.bookingId });
  expect(read.paidTogether).toMatchObject([
    { participantName: 'Mia Morgan', amountCents: 1000, status: 'booked', refundCents: 0 },
    { participantName: 'Leo Morgan', amountCents: 2000, bookingId: booking!.bookingId },
    { participantName: expect.any(String), amountCents: 4000 },
  ]);
});

test("lists a checkout's bookings on each receipt, and refunds one at its own price [PART-10c]", async () => {
  const { parent, mia, leo } = await joinFamily();
  const slotId = await club.publish();
  const other = await club.publish({ priceCents: 3000 });
  const { body } = await checkOut(app, parent, [
    { slotId, participantId: mia },
    { slotId, participantId: leo },
    { slotId: other, baseAmountCents: 3000 },
  ]);
  expect(body.outcome).toBe('booked');
  const receipts = await eventually(async () => {
    const emails = (await app.emailsTo(parent.email)).filter(({ subject }) => subject.startsWith('Booked:'));
    return emails.length === 3 && emails;
  });
  for (const { text } of receipts as { text: string }[]) {
    expect(text).toContain('You booked 3 places with one payment of £130.00.');
    expect(text).toMatch(/Mia Morgan: Tennis basics, .+, £50\.00/);
    expect(text).toMatch(/Leo Morgan: Tennis basics, .+, £50\.00/);
    expect(text).toMatch(/Tennis basics, .+, £30\.00/);
  }
  const { bookingId } = (await club.readBookings(other))[0]!;
  const cancelled = await app.call(parent, bookingsApi.cancel, { bookingId, expectedRefundCents: 3000 });
  expect(cancelled.body.booking.refund?.amountCents).toBe(3000);
  await eventually(async () => (await club.netCharges(other))[0] === 10_000);
  expect(await seatsOf([slotId, other])).toEqual([2, 0]);
  const { body: read } = await app.call(parent, bookingsApi.getMine, { bookingId });
  expect(read.paidTogether.map(({ amountCents, refundCents }) => amountCents - refundCents)).toEqual([
    5000, 5000, 0,
  ]);
  // The lesson that starts in an hour is past its refund deadline; the lesson cancelled above was not.
  await club.putAt(slotId, 60);
  const late = (await club.readBookings(slotId))[0]!.bookingId;
  const { body: kept } = await app.call(parent, bookingsApi.cancel, {
    bookingId: late,
    expectedRefundCents: 0,
  });
  expect(kept.booking).toMatchObject({ status: 'cancelled', refund: null });
  expect(await club.netCharges(other)).toEqual([10_000]);
  // A booking with its own payment lists no other bookings, and another guardian sees no list.
  const guardian = await club.join();
  await family.shareWith(parent, guardian, mia);
  const seen = await app.call(guardian, bookingsApi.getMine, { bookingId: body.bookingId });
  expect(seen.body.paidTogether).toEqual([]);
  const alone = await club.book(parent, await club.publish());
  const own = await app.call(parent, bookingsApi.getMine, { bookingId: alone.body.bookingId });
  expect(own.body.paidTogether).toEqual([]);
});

test("names the seat that can't be booked, and takes no seats [PART-10b]", async () => {
  const { parent, mia, leo } = await joinFamily();
  const unready = await family.addChild(parent, { fullName: 'Una Morgan' });
  const [free, full, lastSeat, dearer, moved, aged] = await Promise.all([
    club.publish(),
    club.publish({ seats: 1 }),
    club.publish({ seats: 1 }),
    club.publish({ priceCents: 6000 }),
    club.publish(),
    club.publish(),
  ]);
  await club.book(await club.join(), full!);
  await sql`update lesson_slots set min_age = 16 where slot_id = ${aged}::uuid`.execute(app.db);
  const { startTime } = await club.readSlot(moved!);
  const earlier = new Date(Date.parse(startTime) - 3_600_000).toISOString();
  const when = String.raw`on \w+ \d+ \w+(?: \d+)?, \d\d:\d\d–\d\d:\d\d`;
  const cases: [{ slotId: string } & Record<string, unknown>, string, string][] = [
    [
      { slotId: full!, participantId: leo },
      'slot_full',
      ' for Leo Morgan: Sorry, the last place has just gone\\.',
    ],
    [{ slotId: dearer! }, 'price_changed', ': The price of this lesson is now £60\\.00\\.'],
    [{ slotId: moved!, startTime: earlier }, 'time_changed', ': The coach has moved this lesson to .+'],
    [{ slotId: aged!, participantId: mia }, 'age_range', ' for Mia: This lesson is for ages 16 .+'],
    [
      { slotId: moved!, participantId: unready },
      'care_needed',
      ' for Una Morgan: Before you book for Una Morgan.+',
    ],
    [
      {
        slotId: moved!,
        location: {
          locationId: crypto.randomUUID(),
          name: 'Park',
          address: '1 Way',
          city: 'Leeds',
          postcode: 'LS6 3AA',
        },
      },
      'location_changed',
      ': The coach has changed the location .+',
    ],
  ];
  for (const [seat, code, text] of cases) {
    const { status, error } = await checkOut(app, parent, [
      { slotId: free! },
      seat,
      { slotId: free!, participantId: mia },
    ]);
    expect([status, error?.code]).toEqual([409, code]);
    expect(error?.message).toMatch(new RegExp(`^“Tennis basics” ${when}${text}`));
    expect(error?.details).toMatchObject({
      slotId: seat.slotId,
      participantId: seat.participantId ?? parent.userId,
    });
  }
  const three = [undefined, mia, leo].map((participantId) => ({ slotId: lastSeat!, participantId }));
  const { error } = await checkOut(app, parent, three);
  expect([error?.code, error?.details]).toMatchObject(['slot_full', { participantId: mia, freeSeats: 1 }]);
  expect(error?.message).toMatch(/ for Mia: Sorry, this lesson has only 1 place left, and you asked for 3\./);
  const unknown = await checkOut(app, parent, [{ slotId: free! }, { slotId: crypto.randomUUID() }]);
  expect([unknown.status, unknown.error?.message]).toEqual([404, 'Lesson not found.']);
  const stranger = await club.join();
  const foreign = await checkOut(app, stranger, [{ slotId: free! }, { slotId: free!, participantId: mia }]);
  expect([foreign.status, foreign.error?.message]).toEqual([404, 'This person is not in your family list.']);
  expect(await seatsOf([free!, full!, lastSeat!, dearer!, moved!, aged!])).toEqual([0, 1, 0, 0, 0, 0]);
});

test('names the lesson that overlaps another in the checkout or an earlier booking [PART-10b]', async () => {
  const { parent, mia, leo } = await joinFamily();
  const [first, second] = await publishTwins();
  const within = await checkOut(app, parent, [
    { slotId: first, participantId: leo },
    { slotId: first, participantId: mia },
    { slotId: second, participantId: mia },
  ]);
  expect([within.error?.code, within.error?.message, within.error?.details]).toEqual([
    'overlap',
    "“Tennis basics” and “Tennis basics” are at the same time, so Mia can't take part in both. You have not been charged.",
    { slotId: second, participantId: mia },
  ]);
  const twice = await checkOut(app, parent, [
    { slotId: first },
    { slotId: first, participantId: parent.userId },
  ]);
  expect(twice.error?.message).toBe(
    'You can book “Tennis basics” only once for yourself. You have not been charged.',
  );
  expect((await family.bookFor(parent, second, mia)).status).toBe(200);
  const clash = await checkOut(app, parent, [
    { slotId: first, participantId: leo },
    { slotId: first, participantId: mia },
  ]);
  expect([clash.error?.code, clash.error?.details]).toMatchObject([
    'overlap',
    { slotId: first, participantId: mia },
  ]);
  expect(clash.error?.message).toMatch(
    / for Mia: Mia already has “Tennis basics” on .+, which is at the same time\./,
  );
  const again = await checkOut(app, parent, [{ slotId: first }, { slotId: second, participantId: mia }]);
  expect(again.error?.code).toBe('already_booked');
  expect(again.error?.message).toMatch(/ for Mia: Mia is already booked for this lesson\.$/);
  expect(await seatsOf([first, second])).toEqual([0, 1]);
  // Leo and his parent may share this lesson while Mia is in the other, because they are different people.
  const apart = await checkOut(app, parent, [{ slotId: first, participantId: leo }, { slotId: first }]);
  expect(apart.body.outcome).toBe('booked');
});

test('books six seats; refuses seven or none, and a customer without a card [PART-10a]', async () => {
  const slotIds = await publish(7);
  const seats = slotIds.map((slotId) => ({ slotId }));
  const customer = await club.join();
  const many = await checkOut(app, customer, seats);
  expect([many.status, many.error?.fields?.seats]).toEqual([422, 'One payment can book up to 6 places.']);
  const none = await app.call(customer, checkoutApi.book, { seats: [] });
  expect([none.status, none.error?.fields?.seats]).toEqual([422, 'Choose at least one lesson.']);
  const poor = await club.join(null);
  const refused = await checkOut(app, poor, seats.slice(0, 2));
  expect(refused.error?.message).toBe('Add a card first, then book the lesson.');
  expect((await checkOut(app, customer, seats.slice(1))).body.outcome).toBe('booked');
  expect(await seatsOf(slotIds)).toEqual([0, 1, 1, 1, 1, 1, 1]);
});

test('books free lessons together without a card', async () => {
  const slotIds = await publish(2, { priceCents: 0 });
  const customer = await club.join(null);
  const { body } = await checkOut(
    app,
    customer,
    slotIds.map((slotId) => ({ slotId, baseAmountCents: 0 })),
  );
  expect(body.outcome).toBe('booked');
});

test('charges once for a checkout sent six times simultaneously and repeated later [PART-10a]', async () => {
  const { parent, mia, leo } = await joinFamily();
  const [first, second] = [await club.publish(), await club.publish()];
  const seats = [
    { slotId: first, participantId: mia },
    { slotId: second, participantId: leo },
    { slotId: second },
  ];
  const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(app, parent, seats)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await eventually(async () => (await statusesOf(second)).every((status) => status === 'booked'));
  expect(await club.netCharges(first)).toEqual([15_000]);
  const again = await checkOut(app, parent, seats.toReversed());
  expect(again.body).toEqual({ outcome: 'booked', bookingId: expect.any(String) });
  expect(await club.netCharges(second)).toEqual([15_000]);
});

test('returns the existing booking when a repeated checkout has read outdated data [PART-10a]', async () => {
  const { parent, mia } = await joinFamily();
  const [first, second] = [await club.publish(), await club.publish()];
  const readFacts = createFactsReader(app.db);
  const seats = [
    { slotId: first, participantId: mia, baseAmountCents: 5000 },
    { slotId: second, participantId: parent.userId, baseAmountCents: 5000 },
  ];
  const [{ slotId, participantId }] = seats as [SeatToBook & { participantId: string }];
  const early = await readFacts({ slotId, participantId, userId: parent.userId, ipAddress: null });
  const { body } = await checkOut(app, parent, seats);
  expect(body?.outcome).toBe('booked');
  const repeated = bookSeats(
    {
      ...app,
      log: createLog('silent'),
      readFacts: async (key) => (key.slotId === first ? early : readFacts(key)),
    },
    { userId: parent.userId, roles: ['customer'], sessionId: '' },
    seats,
    '192.0.2.1',
  );
  expect(await repeated).toEqual(body);
});

test('ends an unfinished payment when its lessons are booked in another combination', async () => {
  const { parent, mia } = await joinFamily(testCards.asksAlways);
  const [first, second] = [await club.publish({ seats: 1 }), await club.publish()];
  const both = [{ slotId: first, participantId: mia }, { slotId: second }];
  expect((await checkOut(app, parent, both)).body.outcome).toBe('requiresAction');
  // The dialog for one lesson shows only that lesson's price, so it doesn't continue the payment for both.
  const alone = await family.bookFor(parent, first, mia);
  expect(alone.body.outcome).toBe('requiresAction');
  expect(await seatsOf([first, second])).toEqual([1, 0]);
  const joint = await checkOut(app, parent, both);
  expect(await seatsOf([first, second])).toEqual([1, 1]);
  expect((await authenticate(parent, joint.body as { bookingId: string })).body.outcome).toBe('booked');
  expect(await club.netCharges(first)).toEqual([10_000]);
});

test('never continues a payment for more than the price the customer saw', async () => {
  const customer = await club.join(testCards.asksAlways);
  const [first, second] = [await club.publish(), await club.publish()];
  const seats = [{ slotId: first }, { slotId: second }];
  const asked = await checkOut(app, customer, seats);
  expect(asked.body.outcome).toBe('requiresAction');
  await sql`update lesson_slots set price_cents = 4000 where slot_id = ${second}::uuid`.execute(app.db);
  const cheaper = await checkOut(app, customer, [seats[0]!, { ...seats[1]!, baseAmountCents: 4000 }]);
  expect((await authenticate(customer, cheaper.body as { bookingId: string })).body.outcome).toBe('booked');
  expect(await club.netCharges(first)).toEqual([9000]);
});

test('releases all seats when the bank declines the payment [PART-10a]', async () => {
  const { parent, mia, leo } = await joinFamily(testCards.declinedOnPaying);
  const slotId = await club.publish();
  const refused = await checkOut(
    app,
    parent,
    [mia, leo].map((participantId) => ({ slotId, participantId })),
  );
  expect(refused.status).toBe(402);
  expect(await statusesOf(slotId)).toEqual(['released', 'released']);
  expect(await seatsOf([slotId])).toEqual([0]);
});

test('releases all seats when the hold of an unfinished 3-D Secure check expires [PART-10a]', async () => {
  const { parent, mia, leo } = await joinFamily(testCards.asksAlways);
  const [first, second] = [await club.publish(), await club.publish()];
  const seats = [
    { slotId: first, participantId: mia },
    { slotId: second, participantId: leo },
  ];
  const { body } = await checkOut(app, parent, seats);
  // After a reload, the same checkout continues with the same payment.
  expect(await checkOut(app, parent, seats)).toMatchObject({ body });
  await sql`update bookings set hold_expires_at = now() where slot_id in (${first}::uuid, ${second}::uuid)`.execute(
    app.db,
  );
  await club.sweep();
  await eventually(async () => (await statusesOf(second))[0] === 'released');
  expect([await statusesOf(first), await seatsOf([first, second])]).toEqual([['released'], [0, 0]]);
  const again = await checkOut(app, parent, seats);
  expect((await authenticate(parent, again.body as { bookingId: string })).body.outcome).toBe('booked');
});

test('books each of two children once when both guardians check out simultaneously [PART-10b]', async () => {
  const { parent, mia, leo } = await joinFamily();
  const other = await club.join();
  for (const child of [mia, leo]) await family.shareWith(parent, other, child);
  const [first, second] = await publishTwins();
  const answers = await Promise.all([
    checkOut(app, parent, [
      { slotId: first, participantId: mia },
      { slotId: second, participantId: leo },
    ]),
    checkOut(app, other, [
      { slotId: first, participantId: leo },
      { slotId: second, participantId: mia },
    ]),
    checkOut(app, parent, [
      { slotId: second, participantId: mia },
      { slotId: first, participantId: leo },
    ]),
  ]);
  await eventually(async () =>
    [...(await statusesOf(first)), ...(await statusesOf(second))].every((status) => status !== 'pending'),
  );
  const booked = [...(await club.readBookings(first)), ...(await club.readBookings(second))].filter(
    ({ status }) => status === 'booked',
  );
  expect(booked.map(({ participantId }) => participantId).sort()).toEqual([mia, leo].sort());
  expect(new Set(booked.map(({ paymentId }) => paymentId)).size).toBe(1);
  expect(answers.filter(({ status }) => status === 200)).not.toHaveLength(0);
  for (const { status, error } of answers.filter((answer) => answer.status !== 200)) {
    expect([status, error?.message]).toEqual([409, expect.stringMatching(/Mia|Leo/)]);
  }
});
