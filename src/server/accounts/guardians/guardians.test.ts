import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

const accept = (who: Someone, token: string) =>
  app.call(who, guardiansApi.accept, { token, relation: 'grandparent', isAdult: true });
const leave = (who: Someone, participantId: string) => app.call(who, guardiansApi.leave, { participantId });
const emailAbout = (who: Someone, subject: RegExp) =>
  eventually(async () => (await app.emailsTo(who.email)).find((message) => subject.test(message.subject)));

test('makes only the owner of the invited address a guardian, and only once [PART-11a, PART-1c]', async () => {
  const [parent, other, stranger] = [await club.join(), await club.join(), await club.join()];
  const participantId = await family.addChild(parent, { fullName: 'Mia Unnamed' });
  const token = await family.invite(parent, other.email, participantId);
  const invitation = await emailAbout(other, /^Person \d+ invites you/);
  expect(JSON.stringify(invitation), 'the address may be mistyped').not.toContain('Mia');

  const seen = async (who: Someone | null) =>
    (await app.call(who, guardiansApi.getInvitation, { token })).body;
  expect(await seen(null)).toMatchObject({ participantName: null, obstacle: { code: 'unauthenticated' } });
  expect(await seen(stranger)).toMatchObject({ participantName: null, obstacle: { code: 'forbidden' } });
  expect(await seen(other)).toMatchObject({ participantName: 'Mia Unnamed', obstacle: null });
  expect((await accept(stranger, token)).status).toBe(403);
  for (const isAdult of [false, undefined] as unknown as true[]) {
    const minor = await app.call(other, guardiansApi.accept, { token, relation: 'grandparent', isAdult });
    expect([minor.status, minor.error?.fields]).toEqual([
      422,
      { isAdult: 'Confirm that you are 18 or over.' },
    ]);
  }

  const accepted = await accept(other, token);
  expect([accepted.status, accepted.body]).toEqual([200, { participantId }]);
  const again = await accept(other, token);
  expect([again.status, again.error?.message]).toEqual([409, 'This invitation has already been accepted.']);
  const { body } = await app.call(other, participantsApi.get, { participantId });
  expect(body.participant).toMatchObject({
    relation: 'grandparent',
    guardians: [
      { relation: 'parent', isMe: false },
      { relation: 'grandparent', isMe: true },
    ],
  });
  await emailAbout(parent, /is now a guardian too$/);
  const { body: listed } = await app.call(parent, notificationsApi.listNotifications, {});
  expect(JSON.stringify(listed), 'the stored title names no child').not.toContain('Mia');
});

test('replaces, withdraws and expires invitations; refuses to invite a guardian [PART-11a]', async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const participantId = await family.addChild(parent);
  const first = await family.invite(parent, other.email, participantId);
  const second = await family.invite(parent, other.email, participantId);
  expect((await accept(other, first)).status).toBe(404);
  const { body } = await app.call(parent, participantsApi.get, { participantId });
  const [open, ...more] = body.invitations;
  expect([open!.email, more]).toEqual([other.email, []]);
  const { guardianInvitationId } = open!;
  const withdraw = (who: Someone) =>
    app.call(who, guardiansApi.withdraw, { participantId, guardianInvitationId });
  expect((await withdraw(other)).status).toBe(404);
  expect((await withdraw(parent)).status).toBe(200);
  const late = await accept(other, second);
  expect([late.status, late.error?.message]).toEqual([409, 'This invitation was withdrawn.']);

  const third = await family.invite(parent, other.email, participantId);
  expect((await app.call(other, guardiansApi.decline, { token: third })).status).toBe(200);
  await emailAbout(parent, /has declined your invitation$/);
  const fourth = await family.invite(parent, other.email, participantId);
  await sql`update guardian_invitations set expires_at = now() where status = 'pending'`.execute(app.db);
  expect((await accept(other, fourth)).error?.message).toBe(
    'This invitation has expired. Ask for a new one.',
  );

  const own = await app.call(parent, guardiansApi.invite, { participantId, email: parent.email });
  expect([own.status, own.error?.message]).toEqual([409, 'This person is already a guardian.']);
  const self = { participantId: parent.userId, email: other.email };
  expect((await app.call(parent, guardiansApi.invite, self)).status).toBe(409);
  expect((await app.call(other, guardiansApi.invite, { participantId, email: parent.email })).status).toBe(
    404,
  );
});

test("lets another guardian book, and see but not cancel the payer's booking [PART-11a, PART-11b]", async () => {
  const [payer, other, stranger] = [await club.join(), await club.join(), await club.join()];
  const participantId = await family.addReadyChild(payer, { fullName: 'Mia Morgan', knownAs: 'Mia' });
  await family.shareWith(payer, other, participantId);
  const slotId = await club.publish();
  const { bookingId } = (await family.bookFor(payer, slotId, participantId)).body;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');

  const { body } = await app.call(other, bookingsApi.getMine, { bookingId });
  expect(body.booking).toMatchObject({
    ...{ card: null, refund: null, payerName: expect.stringMatching(/^Person/) },
    participant: { participantId, name: 'Mia Morgan', isSelf: false },
  });
  const { body: mine } = await app.call(payer, bookingsApi.getMine, { bookingId });
  expect(mine.booking).toMatchObject({ card: { lastFour: '4242' }, payerName: null });
  for (const view of [undefined, 'upcoming'] as const) {
    const { body: list } = await app.call(other, bookingsApi.listMine, { view });
    expect(list.bookings.map((booking) => booking.bookingId)).toEqual([bookingId]);
  }
  expect((await app.call(stranger, bookingsApi.getMine, { bookingId })).status).toBe(404);
  const notice = await emailAbout(other, /^Booked: Tennis basics/);
  expect(notice.text).toMatch(/Person \d+ has booked a lesson for Mia Morgan\./);
  expect(notice.text).not.toMatch(/£|4242/);
  expect(notice).not.toHaveProperty('calendar');

  const cancel = (who: Someone) =>
    app.call(who, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const refused = await cancel(other);
  expect([refused.status, refused.error?.message]).toEqual([
    409,
    expect.stringMatching(/^Only Person \d+, who paid for this lesson, can cancel it\.$/),
  ]);
  expect((await cancel(stranger)).status).toBe(404);
  expect((await cancel(payer)).status).toBe(200);
  const cancelled = await emailAbout(other, /^Cancelled: Tennis basics/);
  expect(cancelled.text).not.toMatch(/£|refund/i);

  const own = await family.bookFor(other, await club.publish(), participantId);
  expect(own.error?.message).toBeUndefined();
  const removed = await club.publish();
  await family.bookFor(other, removed, participantId);
  await eventually(async () => (await club.readBookings(removed))[0]!.status === 'booked');
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: removed, reason: 'Rain' });
  await eventually(
    async () =>
      (await app.emailsTo(payer.email)).filter(({ subject }) => /^Cancelled:/.test(subject)).length === 2,
  );
  await club.expectLedgerInOrder();
});

test('refuses to let the last guardian leave; hides the child from former guardians [PART-11d]', async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const participantId = await family.addReadyChild(parent, { knownAs: 'Mia' });
  expect((await leave(parent, participantId)).error?.message).toContain('delete Mia');
  await family.shareWith(parent, other, participantId);
  const slotId = await club.publish();
  const { bookingId } = (await family.bookFor(parent, slotId, participantId)).body;
  const open = await family.invite(parent, (await club.join()).email, participantId);

  expect((await leave(parent, participantId)).status).toBe(200);
  await emailAbout(other, /is no longer a guardian$/);
  expect((await app.call(parent, participantsApi.get, { participantId })).status).toBe(404);
  expect((await family.bookFor(parent, await club.publish(), participantId)).status).toBe(404);
  expect((await app.call(null, guardiansApi.getInvitation, { token: open })).body.obstacle?.message).toBe(
    'This invitation was withdrawn.',
  );
  // The person who paid for a booking can still see it.
  expect((await app.call(parent, bookingsApi.getMine, { bookingId })).status).toBe(200);

  const refused = await leave(other, participantId);
  expect([refused.status, refused.error?.message]).toEqual([
    409,
    'Mia has 1 upcoming lesson, and nobody else looks after the bookings. Cancel the bookings first, or invite another guardian.',
  ]);
  expect((await leave(other, other.userId)).status).toBe(409);
});

test('allows at most four guardians, even if six people accept at the same time', async () => {
  const parent = await club.join();
  const participantId = await family.addChild(parent);
  const invited = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const person = await app.signIn('customer');
      return { person, token: await family.invite(parent, person.email, participantId) };
    }),
  );
  const answers = await Promise.all(invited.map(({ person, token }) => accept(person, token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const { body } = await app.call(parent, participantsApi.get, { participantId });
  expect(body.participant.guardians).toHaveLength(4);
});

test("lets only one of a child's two guardians leave when both try simultaneously [PART-11d]", async () => {
  for (let round = 0; round < 4; round += 1) {
    const [parent, other] = [await app.signIn('customer'), await app.signIn('customer')];
    const participantId = await family.addChild(parent);
    await family.shareWith(parent, other, participantId);
    const left = await Promise.all([parent, other].map((guardian) => leave(guardian, participantId)));
    expect(left.map(({ status }) => status).sort()).toEqual([200, 409]);
  }
});
