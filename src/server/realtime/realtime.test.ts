import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { changeKinds, listCalls } from '#domain/changes.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { notify } from '#server/notifications/notify.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { realtimeLimits } from './limits.ts';
import { openLive, openRaw, startStopwatch } from './live-client.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
const live = (token?: string) => {
  const connection = openLive(app.url, () => token ?? null);
  open.push(connection);
  return connection;
};

describe('the public topic', () => {
  test('sends the state of watched lessons immediately and after each change [RT-3a]', async () => {
    const [slotId, other] = [await club.publish({ seats: 4 }), await club.publish()];
    const customer = await club.join();
    const slots = live().join('places');
    expect(await slots.answered()).toBe('SUBSCRIBED');
    await slots.watch([slotId]);
    await slots.next(() => true);
    const { startTime, endTime } = await club.readSlot(slotId);
    const state = { slotId, status: 'scheduled', bookedCount: 0, maxCapacity: 4, priceCents: 5000 };
    expect(slots.messages[0]).toEqual({
      event: 'slots',
      payload: { slots: [{ ...state, startTime, endTime, location: null }] },
    });
    await club.bookUntilDecided(customer, other);
    await club.bookUntilDecided(customer, slotId);
    await slots.next(({ payload }) => JSON.stringify(payload).includes('"bookedCount":1'));
    expect(JSON.stringify(slots.messages)).not.toContain(other);
    const edited = await app.call(club.coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' });
    expect(edited.error?.message).toBeUndefined();
    await slots.next(({ payload }) => JSON.stringify(payload).includes('"status":"cancelled"'));
    expect(slots.messages.at(-1)!.payload.slots).toMatchObject([{ slotId, status: 'cancelled' }]);
  });

  test('sends simultaneous changes, such as new prices, in one message to each watcher [RT-3a]', async () => {
    const slotIds = [await club.publish(), await club.publish(), await club.publish()];
    const [all, some] = [live().join('places'), live().join('places')];
    for (const slots of [all, some]) expect(await slots.answered()).toBe('SUBSCRIBED');
    await all.watch(slotIds);
    await some.watch(slotIds.slice(1));
    for (const slots of [all, some]) {
      await slots.next(() => true);
      slots.messages.length = 0;
    }
    await sql`update lesson_slots set price_cents = 4900 where slot_id = any(${slotIds}::uuid[])`.execute(
      app.db,
    );
    for (const [slots, watched] of [
      [all, slotIds],
      [some, slotIds.slice(1)],
    ] as const) {
      const { payload } = await slots.next(() => true);
      const changed = payload.slots as { slotId: string; priceCents: number }[];
      expect(changed.map(({ slotId }) => slotId).sort()).toEqual([...watched].sort());
      expect(changed.every(({ priceCents }) => priceCents === 4900)).toBe(true);
    }
  });

  test('sends the new time and location of a watched lesson [RT-3a]', async () => {
    const slotId = await club.publish({ seats: 4 });
    const slots = live().join('places');
    expect(await slots.answered()).toBe('SUBSCRIBED');
    await slots.watch([slotId]);
    await slots.next(() => true);
    const date = addDays(wallTimeOf(Date.now()).date, 40);
    const time = { date, hour: 10, minute: 0 };
    const { startTime, endTime } = (await app.call(club.coach, lessonsApi.moveSlot, { slotId, ...time })).body
      .slot;
    await slots.next(({ payload }) => JSON.stringify(payload).includes(startTime));
    const address = { address: '14 Park Road', city: 'Leeds', postcode: 'LS6 3AA' };
    const { location } = (
      await app.call(club.coach, catalogueApi.createLocation, { name: 'Park Hall', ...address })
    ).body;
    const edited = await app.call(club.coach, lessonsApi.editSlot, {
      ...{ slotId, locationId: location.locationId, priceCents: 5000, minCapacity: 2, maxCapacity: 6 },
    });
    expect(edited.error?.message).toBeUndefined();
    const { payload } = await slots.next((message) => JSON.stringify(message).includes('Park Hall'));
    expect(payload.slots).toMatchObject([{ slotId, startTime, endTime, location, maxCapacity: 6 }]);
    // The location itself changes. Later watchers get the new address immediately.
    const moved = { ...address, locationId: location.locationId, name: 'Park Hall', address: '41 Park Road' };
    expect((await app.call(club.coach, catalogueApi.updateLocation, moved)).error).toBeUndefined();
    await slots.next((message) => JSON.stringify(message).includes('41 Park Road'));
    const late = live().join('places');
    expect(await late.answered()).toBe('SUBSCRIBED');
    await late.watch([slotId]);
    await late.next(() => true);
    expect(JSON.stringify(late.messages[0])).toContain('41 Park Road');
    expect(late.messages[0]!.payload.slots).toMatchObject([{ slotId, startTime, endTime }]);
  });

  test('sends at most two messages a second about a lesson [RT-3b]', async () => {
    const slotId = await club.publish();
    const slots = live().join('places');
    await slots.answered();
    await slots.watch([slotId]);
    await slots.next(() => true);
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1_000;
    // Changes are read four times a second, so without a limit there would be twice as many messages.
    let priceCents = 5_000;
    while (elapsed() < 2.5) {
      priceCents += 1;
      await app.db.updateTable('lessonSlots').set({ priceCents }).where('slotId', '=', slotId).execute();
      await eventually(async () => elapsed() > (priceCents - 5_000) / 10);
    }
    await slots.next(({ payload }) => JSON.stringify(payload).includes(`"priceCents":${priceCents}`));
    expect(slots.messages.length - 1).toBeGreaterThan(1);
    expect(slots.messages.length - 1).toBeLessThanOrEqual(Math.ceil(elapsed() * 2) + 1);
  });
});

test('reports read notifications to every device at the next read of changes [NOTE-3c]', async () => {
  const person = await app.signIn();
  await notify(
    app.db,
    person,
    { kind: 'fee_changed', subjectId: person.userId, version: 'new' },
    { subject: 'New fee', summary: 'A sentence.', body: [], action: { label: 'Open', path: '/account' } },
  );
  const devices = [person, await app.signInAs(person.userId)].map(({ token }) =>
    live(token).join(`user:${person.userId}`),
  );
  for (const device of devices) expect(await device.answered()).toBe('SUBSCRIBED');
  for (const { messages } of devices) messages.length = 0;
  const { error } = await app.call(person, notificationsApi.markAllRead, {});
  expect(error?.message).toBeUndefined();
  for (const device of devices) await device.next(({ payload }) => payload.kind === 'notifications');
  // Of the two seconds allowed, this leaves the pages at least one to count again.
  expect(realtimeLimits.changesEveryMs).toBeLessThanOrEqual(1_000);
});

test('writes the same changes for a seat with 500 watchers as with none [BASE-9c]', async () => {
  const [alone, watched] = [await club.publish({ priceCents: 0 }), await club.publish({ priceCents: 0 })];
  const customer = await club.join(null);
  async function bookAndReadChanges(slotId: string) {
    const { body } = await club.book(customer, slotId, 0);
    const { rows } = await sql`
      select topic, kind, count(*)::int from changes
      where key = ${slotId} or subject_id in (${slotId}::uuid, ${body.bookingId}::uuid)
      group by topic, kind order by topic, kind`.execute(app.db);
    return rows;
  }
  const changes = await bookAndReadChanges(alone);
  expect(changes).toContainEqual({ topic: 'places', kind: null, count: expect.any(Number) });
  const watchers = await Promise.all(Array.from({ length: 500 }, () => openRaw(app.url)));
  open.push(...watchers);
  const watch = { type: 'broadcast', event: 'watch', payload: { slotIds: [watched] } };
  for (const raw of watchers) {
    raw.join('realtime:places');
    raw.send(['1', '2', 'realtime:places', 'broadcast', watch]);
  }
  for (const raw of watchers) expect((await raw.reply('2')).status).toBe('ok');
  expect(await bookAndReadChanges(watched)).toEqual(changes);
  for (const raw of watchers) {
    await eventually(async () => JSON.stringify(raw.received).includes('"bookedCount":1'));
  }
});

describe('private topics', () => {
  test('send customers and coaches only the kind and id of a change [RT-4, RT-5a, RT-5b]', async () => {
    const slotId = await club.publish();
    const customer = await club.join();
    const own = live(customer.token).join(`user:${customer.userId}`);
    const coach = live(club.coach.token).join(`coach:${club.coach.userId}`);
    expect(await own.answered()).toBe('SUBSCRIBED');
    expect(await coach.answered()).toBe('SUBSCRIBED');
    const { body } = await club.bookUntilDecided(customer, slotId);
    await own.next(({ payload }) => payload.kind === 'bookings' && payload.id === body.bookingId);
    await coach.next(({ payload }) => payload.kind === 'slots' && payload.id === slotId);
    await coach.next(({ payload }) => payload.kind === 'earnings');
    // The customer is notified of the booking: the bell counts it.
    await own.next(({ payload }) => payload.kind === 'notifications');
    const expectKindAndId = () => {
      for (const [topic, { messages }] of [
        ['user', own],
        ['coach', coach],
      ] as const) {
        for (const { event, payload } of messages) {
          expect(event).toBe('change');
          expect(Object.keys(payload).sort()).toEqual(['id', 'kind']);
          expect(Object.keys(changeKinds[topic])).toContain(payload.kind);
          expect(payload.id ?? slotId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
        }
      }
    };
    // With the ids of the messages, the API shows each person what that person may see.
    const { bookingId } = body;
    const [ofOwn, ofStranger] = [
      await app.call(customer, bookingsApi.getMine, { bookingId }),
      await app.call(await app.signIn('customer'), bookingsApi.getMine, { bookingId }),
    ];
    expect([ofOwn.body.booking.bookingId, ofStranger.status]).toEqual([bookingId, 404]);
    const listed = await app.call(club.coach, lessonsApi.listAttendees, { slotId });
    expect(listed.body.attendees).toMatchObject([{ bookingId }]);
    expect((await app.call(customer, lessonsApi.listAttendees, { slotId })).status).toBe(403);
    const clear = async () => {
      expectKindAndId();
      // Deletes the changes recorded so far, so that they are not sent later.
      await app.db.deleteFrom('changes').execute();
      [own.messages.length, coach.messages.length] = [0, 0];
    };
    const isOwn = ({ payload }: { payload: Record<string, unknown> }) =>
      payload.kind === 'bookings' && payload.id === body.bookingId;
    const isOfSlot = ({ payload }: { payload: Record<string, unknown> }) =>
      payload.kind === 'slots' && payload.id === slotId;
    await clear();
    const more = { locationId: null, priceCents: 5000, minCapacity: 2, maxCapacity: 5 };
    const edited = await app.call(club.coach, lessonsApi.editSlot, { slotId, ...more });
    expect(edited.error?.message).toBeUndefined();
    await coach.next(isOfSlot);
    await clear();
    const date = addDays(wallTimeOf(Date.now()).date, 45);
    const moved = await app.call(club.coach, lessonsApi.moveSlot, { slotId, date, hour: 11, minute: 0 });
    expect(moved.error?.message).toBeUndefined();
    await Promise.all([own.next(isOwn), coach.next(isOfSlot)]);
    await clear();
    await app.call(customer, bookingsApi.cancel, { bookingId: body.bookingId, expectedRefundCents: 5000 });
    await Promise.all([own.next(isOwn), coach.next(isOfSlot)]);
    await clear();
    const cancelled = await app.call(club.coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' });
    expect(cancelled.error?.message).toBeUndefined();
    await coach.next(isOfSlot);
    expectKindAndId();
  });

  test('notify a coach of changed earnings after a cancellation without a refund [RT-5b]', async () => {
    const coach = live(club.coach.token).join(`coach:${club.coach.userId}`);
    expect(await coach.answered()).toBe('SUBSCRIBED');
    const slotId = await club.publish();
    const customer = await club.join();
    const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
    await club.putAt(slotId, 60);
    await coach.next(({ payload }) => payload.kind === 'earnings');
    coach.messages.length = 0;
    await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
    await coach.next(({ payload }) => listCalls('coach', payload.kind as string).includes('get_earnings'));
  });

  test('send customers the completion of their lesson [RT-5a]', async () => {
    const slotId = await club.publish();
    const customer = await club.join();
    const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
    await club.putAt(slotId, -30);
    const own = live(customer.token).join(`user:${customer.userId}`);
    expect(await own.answered()).toBe('SUBSCRIBED');
    await app.call(club.coach, lessonsApi.completeSlot, { slotId });
    await own.next(({ payload }) => payload.kind === 'bookings' && payload.id === bookingId);
  });

  test('notify admins of changes to money and people [RT-4, RT-5c]', async () => {
    const admin = await app.signIn('admin');
    const topic = live(admin.token).join('admin');
    expect(await topic.answered()).toBe('SUBSCRIBED');
    const slotId = await club.publish();
    await club.bookUntilDecided(await club.join(), slotId);
    const [booking] = await club.readBookings(slotId);
    const failed = { paymentId: booking!.paymentId!, amountCents: 100, reason: 'coach_cancelled' } as const;
    const { refundId } = await app.db
      .insertInto('refunds')
      .values({ ...failed, status: 'failed', givenUpAt: new Date(0).toISOString() })
      .returning('refundId')
      .executeTakeFirstOrThrow();
    const givenUpAt = new Date().toISOString();
    await app.db.updateTable('refunds').set({ givenUpAt }).where('refundId', '=', refundId).execute();
    for (const kind of ['payable', 'overview', 'people', 'refunds']) {
      await topic.next(({ payload }) => payload.kind === kind && payload.id === null);
    }
    for (const { event, payload } of topic.messages) {
      expect([event, Object.keys(payload).sort()]).toEqual(['change', ['id', 'kind']]);
      expect(Object.keys(changeKinds.admin)).toContain(payload.kind);
      expect(payload.id).toBeNull();
    }
  });
});

describe('losing access', () => {
  /** Fails unless these topics end within 2 s. */
  async function expectEnded(stopwatch: () => number, ...topics: { statuses: string[] }[]): Promise<void> {
    await eventually(async () => topics.every(({ statuses }) => statuses.includes('CLOSED')));
    expect(stopwatch()).toBeLessThan(2_000);
  }

  test('ends the topic of a role within 2 s of the loss of that role [RT-7a]', async () => {
    const [chief, other] = [await app.signIn('admin'), await app.signIn('admin', 'coach', 'customer')];
    const connection = live(other.token);
    const join = (topic: string) => connection.join(topic);
    const [admin, coach] = [join('admin'), join(`coach:${other.userId}`)];
    const own = join(`user:${other.userId}`);
    for (const topic of [admin, coach, own]) expect(await topic.answered()).toBe('SUBSCRIBED');
    const loseRole = async (role: 'admin' | 'coach', topic: typeof admin) => {
      const change = { userId: other.userId, role, isHeld: false } as const;
      const revoked = await app.call(chief, adminApi.changeRole, change);
      const stopwatch = startStopwatch();
      expect(revoked.error?.message).toBeUndefined();
      await expectEnded(stopwatch, topic);
    };
    await loseRole('admin', admin);
    expect(admin.system).toMatchObject([{ status: 'error', extension: 'system', channel: 'admin' }]);
    expect([coach.statuses, own.statuses]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']]);
    await loseRole('coach', coach);
    expect(own.statuses).toEqual(['SUBSCRIBED']);
  });

  test('ends all topics of a session within 2 s of its end elsewhere, and no others [RT-7b]', async () => {
    const person = await app.signIn('customer', 'coach');
    const second = await app.signInAs(person.userId);
    const here = live(person.token);
    const there = live(second.token);
    const ended = [here.join(`user:${person.userId}`), here.join(`coach:${person.userId}`)];
    const kept = there.join(`user:${person.userId}`);
    for (const topic of [...ended, kept]) expect(await topic.answered()).toBe('SUBSCRIBED');
    await app.auth(second, '/logout?scope=others');
    await expectEnded(startStopwatch(), ...ended);
    expect(kept.statuses).toEqual(['SUBSCRIBED']);
    await kept.next(({ payload }) => payload.kind === 'session');
    await app.auth(second, '/logout?scope=global');
    await expectEnded(startStopwatch(), kept);
  });

  test("ends the previous user's topics when another user joins on the same connection [RT-7b]", async () => {
    const [first, second] = [await app.signIn('customer'), await app.signIn('customer')];
    const topics = [first, second].map(({ userId }) => `realtime:user:${userId}`) as [string, string];
    const raw = await openRaw(app.url);
    open.push(raw);
    raw.join(topics[0], first.token, '1');
    expect((await raw.reply('1')).status).toBe('ok');
    raw.join('realtime:places', second.token, '2');
    expect((await raw.reply('2')).status).toBe('ok');
    const endings = () => raw.received.filter(([, , , event]) => event === 'phx_close');
    expect(endings()).toEqual([['1', '1', topics[0], 'phx_close', {}]]);
    raw.join(topics[1], second.token, '3');
    expect((await raw.reply('3')).status).toBe('ok');
    await app.auth(second, '/logout?scope=global');
    await eventually(async () => endings().length === 2);
    expect(endings()[1]).toEqual(['3', '3', topics[1], 'phx_close', {}]);
  });

  test('ends the topics of a deleted account within 2 s [RT-7c]', async () => {
    const person = await app.signIn('customer', 'coach');
    const connection = live(person.token);
    const topics = ['user', 'coach'].map((kind) => connection.join(`${kind}:${person.userId}`));
    for (const topic of topics) expect(await topic.answered()).toBe('SUBSCRIBED');
    const deleted = await app.call(person, ownAccountApi.deleteAccount, {});
    expect(deleted.error?.message).toBeUndefined();
    await expectEnded(startStopwatch(), ...topics);
  });
});

test('answers heartbeats, which the client sends every 25 s [RT-1a]', async () => {
  const { client, join } = live();
  expect(client.heartbeatIntervalMs).toBe(25_000);
  expect([1, 2, 3, 4, 5, 9].map((tries) => client.reconnectAfterMs(tries))).toEqual([
    ...[1_000, 2_000, 5_000, 10_000, 10_000, 10_000],
  ]);
  await join('places').answered();
  const beats: string[] = [];
  client.onHeartbeat((status) => beats.push(status));
  await client.sendHeartbeat();
  await eventually(async () => beats.includes('ok'));
});
