import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { newMarker, openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { deleteExpired } from './cleanup/delete-expired.ts';
import { findTables } from './find-text.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

const remove = (who: Someone, participantId: string) =>
  app.call(who, participantDataApi.delete, { participantId });

/** Books a lesson for a child and moves it `days` days into the past. */
async function attendedBy(guardian: Someone, participantId: string, days: number) {
  const slotId = await club.publish();
  const { bookingId } = (await family.bookFor(guardian, slotId, participantId)).body;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  await club.putAt(slotId, -days * 24 * 60);
  return { slotId, bookingId };
}

test("downloads a dependant's data, decrypted, without other people's data [PART-12a]", async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const participantId = await family.addChild(parent, { fullName: 'Mia Morgan' });
  await family.saveCare(parent, participantId, {
    ...plainCare,
    notes: { ...plainCare.notes!, allergies: 'Nuts' },
  });
  await family.shareWith(parent, other, participantId);
  await attendedBy(parent, participantId, 3);
  const download = (who: Someone, proof: object = ownProof, id = participantId) =>
    app.call(who, participantDataApi.download, { participantId: id, ...(proof as typeof ownProof) });
  expect((await download(other, { proofKind: 'password', proof: 'wrong-password' })).status).toBe(422);
  expect((await download(await app.signIn('admin'))).status).toBe(404);
  expect((await download(parent, ownProof, parent.userId)).status).toBe(409);

  const { body } = await download(other);
  const rowsOf = (table: string) => body.records.find((record) => record.table === table)!.rows;
  expect(rowsOf('participants')).toMatchObject([{ participantId, fullName: 'Mia Morgan' }]);
  expect(rowsOf('participantCare')).toMatchObject([{ care: { notes: { allergies: 'Nuts' } } }]);
  expect(rowsOf('consents')).toMatchObject([{ kind: 'medical', choice: 'yes' }]);
  expect(rowsOf('bookings')).toMatchObject([{ title: 'Tennis basics', status: 'booked' }]);
  expect(rowsOf('guardians')).toHaveLength(2);
  const text = JSON.stringify(body);
  expect(text).not.toMatch(/amountCents|paymentId|v1\./);
  for (const person of [parent, other]) {
    expect(text).not.toContain(person.userId);
    expect(text).not.toContain(person.email);
  }
});

test("deletes a dependant's name, birth date and care details but keeps bookings [PART-12a]", async () => {
  const parent = await club.join();
  const marker = newMarker();
  const participantId = await family.addChild(parent, { fullName: `Mia ${marker}`, knownAs: `M ${marker}` });
  await family.saveCare(parent, participantId);
  await family.invite(parent, `${marker}@test.example`, participantId);
  const { slotId, bookingId } = await attendedBy(parent, participantId, 2);
  expect((await remove(parent, participantId)).status).toBe(200);

  expect(await findTables(app.db, marker)).toEqual([]);
  expect((await app.call(parent, participantsApi.get, { participantId })).status).toBe(404);
  expect((await app.call(parent, careApi.getCare, { participantId })).status).toBe(404);
  const storedCare = await app.db
    .selectFrom('participantCare')
    .selectAll()
    .where('participantId', '=', participantId)
    .execute();
  expect(storedCare).toEqual([]);
  const stored = await app.db
    .selectFrom('participants')
    .selectAll()
    .where('participantId', '=', participantId)
    .executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ fullName: null, knownAs: null, dateOfBirth: null });
  expect(stored.deletedAt).not.toBeNull();
  const { body } = await app.call(parent, bookingsApi.getMine, { bookingId });
  expect(body.booking).toMatchObject({ amountCents: 5000, participant: { name: 'Deleted participant' } });
  const { body: list } = await app.call(club.coach, lessonsApi.listAttendees, { slotId });
  expect(list.attendees).toMatchObject([{ fullName: 'Deleted participant', age: null }]);
  await club.expectLedgerInOrder();
});

test('refuses to delete a dependant with upcoming lessons or another guardian [PART-12a]', async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const participantId = await family.addReadyChild(parent, { knownAs: 'Mia' });
  const slotId = await club.publish();
  const { bookingId } = (await family.bookFor(parent, slotId, participantId)).body;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  expect((await remove(parent, participantId)).error?.message).toBe(
    'Mia has 1 upcoming lesson. Cancel the bookings first, or delete Mia once the lessons are over.',
  );
  await app.call(parent, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  await family.shareWith(parent, other, participantId);
  expect((await remove(parent, participantId)).error?.message).toContain('You can leave instead.');
  expect((await remove(parent, parent.userId)).error?.message).toBe(
    'To delete your own data, delete your account.',
  );
  expect((await remove(await app.signIn('admin'), participantId)).status).toBe(404);
});

test('either books for or deletes a dependant when both are requested simultaneously', async () => {
  for (let round = 0; round < 4; round += 1) {
    const parent = await club.join();
    const participantId = await family.addReadyChild(parent);
    const slotId = await club.publish();
    const [booked, removed] = await Promise.all([
      family.bookFor(parent, slotId, participantId),
      remove(parent, participantId),
    ]);
    expect([booked.status, removed.status].sort()).toEqual(booked.status === 200 ? [200, 409] : [200, 404]);
  }
});

test("deletes an account's dependants, except those with another guardian [PART-12c]", async () => {
  const [parent, other] = [await club.join(), await club.join()];
  const [marker, shared] = [newMarker(), newMarker()];
  const alone = await family.addChild(parent, { fullName: `Mia ${marker}` });
  const ours = await family.addReadyChild(parent, { fullName: `Leo ${shared}` });
  await family.shareWith(parent, other, ours);
  await attendedBy(parent, ours, 5);
  expect((await app.call(parent, ownAccountApi.deleteAccount, {})).error?.message).toBeUndefined();
  expect(await findTables(app.db, marker)).toEqual([]);
  expect(await findTables(app.db, shared)).toEqual(['participants']);
  const { body } = await app.call(other, participantsApi.get, { participantId: ours });
  expect(body.participant).toMatchObject({ fullName: `Leo ${shared}`, careState: 'confirmed' });
  expect(body.participant.guardians).toHaveLength(1);
  expect((await app.call(other, participantsApi.get, { participantId: alone })).status).toBe(404);
});

test("names another person's upcoming booking as a blocker for the last guardian [PART-11d]", async () => {
  const [parent, payer] = [await club.join(), await club.join()];
  const participantId = await family.addReadyChild(parent);
  await family.shareWith(parent, payer, participantId);
  const slotId = await club.publish();
  await family.bookFor(payer, slotId, participantId);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  await sql`delete from guardians where user_id = ${payer.userId}::uuid`.execute(app.db);
  const { body } = await app.call(parent, ownAccountApi.getDeletion, {});
  expect(body.blockers).toEqual([
    expect.stringContaining('You are the only guardian of someone with upcoming'),
  ]);
});

test("refuses to delete a guardian's account if the other guardian has just left [PART-11d]", async () => {
  const [parent, payer] = [await club.join(), await club.join()];
  const participantId = await family.addReadyChild(parent);
  await family.shareWith(parent, payer, participantId);
  const slotId = await club.publish();
  await family.bookFor(payer, slotId, participantId);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  let deletion: Promise<{ status: number }> | undefined;
  await app.db.transaction().execute(async (tx) => {
    await sql`select from participants where participant_id = ${participantId}::uuid for update`.execute(tx);
    deletion = app.call(parent, ownAccountApi.deleteAccount, {});
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
      return rows.length > 0;
    });
    await sql`delete from guardians where user_id = ${payer.userId}::uuid`.execute(tx);
  });
  expect((await deletion!).status).toBe(409);
  expect((await app.call(parent, participantsApi.get, { participantId })).status).toBe(200);
});

test('deletes care details after 12 months without a lesson or a confirmation [PART-12b]', async () => {
  const parent = await club.join();
  const [gone, recent, fresh] = [
    await family.addReadyChild(parent, { fullName: 'Gone' }),
    await family.addReadyChild(parent, { fullName: 'Recent' }),
    await family.addReadyChild(parent, { fullName: 'Fresh' }),
  ];
  await attendedBy(parent, gone, 370);
  await attendedBy(parent, recent, 400);
  await attendedBy(parent, recent, 360);
  await attendedBy(parent, fresh, 380);
  await sql`update participant_care set confirmed_at = now() - interval '13 months'
    where participant_id = any(${[gone, recent]}::uuid[])`.execute(app.db);
  await deleteExpired(app.db);
  const left = await app.db
    .selectFrom('participantCare')
    .select('participantId')
    .where('participantId', 'in', [gone, recent, fresh])
    .execute();
  expect(left.map(({ participantId }) => participantId).sort()).toEqual([recent, fresh].sort());
});

test('keeps the current consent, and earlier consents for six years [PART-4a]', async () => {
  const parent = await club.join();
  const participantId = await family.addChild(parent);
  const write = (choice: string, age: string) =>
    sql`insert into consents (participant_id, kind, choice, text_version, given_by, at)
      values (${participantId}, 'photos', ${choice}, 'old', ${parent.userId}, now() - ${age}::interval)`.execute(
      app.db,
    );
  await write('club', '8 years');
  await write('coaching', '7 years');
  await deleteExpired(app.db);
  const choices = async () =>
    (await app.call(parent, careApi.listConsents, { participantId })).body.consents.map(
      ({ choice }) => choice,
    );
  expect(await choices()).toEqual(['coaching']);
  await write('none', '1 day');
  await deleteExpired(app.db);
  expect(await choices()).toEqual(['none']);
});
