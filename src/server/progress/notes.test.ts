import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { createAddressSigner } from '#server/storage/signed-address.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { newMarker } from '#server/test-support/family.test-support.ts';
import { eventually, ownProof, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';
import { setUpTaught } from './progress.test-support.ts';

const { app, club, family, taught, teach, end, save, notesOf, lessonNotes, allowPhotos } = setUpTaught();

const saveForAll = (given: Partial<InputOf<typeof notesApi.saveForAll>>) =>
  app.call(taught.coach, notesApi.saveForAll, {
    ...{ slotId: taught.slotId, isShared: true, body: 'We practised serves.' },
    ...given,
  });

/** Runs the jobs that wait for the coach to stop typing. */
const settle = () =>
  sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where task_identifier = 'progress.note-shared'`.execute(app.db);
const titlesOf = async (who: Someone) =>
  (await outputOf(app.call(who, notificationsApi.listNotifications, {}))).notifications.filter(
    ({ kind }) => kind === 'note_shared',
  );
/** Makes all notes this much older. */
async function age(interval: string): Promise<void> {
  await sql`alter table session_notes disable trigger user`.execute(app.db);
  await sql`update session_notes set locked_at = locked_at - ${interval}::interval,
    created_at = created_at - ${interval}::interval`.execute(app.db);
  await sql`alter table session_notes enable trigger user`.execute(app.db);
}

test('saves shared and private notes about a participant once the lesson has started [PROGRESS-1a]', async () => {
  const upcoming = await teach();
  const early = await save({ bookingId: upcoming.bookingId });
  expect([early.status, early.error?.message]).toEqual([
    409,
    'You can write a note once the lesson has started.',
  ]);
  await outputOf(save());
  await outputOf(save({ isShared: false, body: 'Tired today.' }));
  expect(await notesOf(taught.parent)).toMatchObject([
    { body: 'Good footwork.', isShared: true, isForAll: false },
  ]);
  const { attendees } = await lessonNotes();
  expect(attendees).toMatchObject([{ participantId: taught.mia, fullName: 'Mia Morgan' }]);
  expect(attendees[0]!.notes.map(({ body, isShared }) => [body, isShared])).toEqual([
    ['Good footwork.', true],
    ['Tired today.', false],
  ]);
  const other = await app.signIn('coach');
  expect((await save({}, other)).status).toBe(404);
  await app.call(taught.coach, lessonsApi.markAttendance, { bookingId: taught.bookingId, attended: false });
  expect((await save({ body: 'Was she there?' })).error?.message).toBe('This person is marked as absent.');
  await club.putAt(upcoming.slotId, -1);
  await outputOf(save({ bookingId: upcoming.bookingId }));
});

test('saves one note for everyone who attended [PROGRESS-1a]', async () => {
  const slotId = await club.publish({ coachId: taught.coach.userId });
  const other = await club.join();
  const leo = await family.addReadyChild(other, { fullName: 'Leo Lamb' });
  const absent = await family.addReadyChild(other, { fullName: 'Ada Away' });
  await teach({ slotId });
  await teach({ slotId, parent: other, child: leo });
  const away = await teach({ slotId, parent: other, child: absent });
  const early = await saveForAll({ slotId });
  expect([early.status, early.error?.message]).toEqual([
    409,
    'You can write a note once the lesson has started.',
  ]);
  await end(slotId);
  await app.call(taught.coach, lessonsApi.markAttendance, { bookingId: away.bookingId, attended: false });
  const { updatedAt } = await outputOf(saveForAll({ slotId, body: 'We practised serves.' }));
  await outputOf(saveForAll({ slotId, body: 'We practised serves and returns.', seenAt: updatedAt }));
  await outputOf(saveForAll({ slotId, isShared: false, body: 'A tired group.' }));
  const expected = [{ body: 'We practised serves and returns.', isForAll: true }];
  expect(await notesOf(taught.parent)).toMatchObject(expected);
  expect(await notesOf(other, leo)).toMatchObject(expected);
  expect(await notesOf(other, absent)).toEqual([]);
  const { attendees } = await lessonNotes(taught.coach, slotId);
  const bodies = attendees.map(({ fullName, notes }) => [fullName, notes.map(({ body }) => body)]);
  const both = ['We practised serves and returns.', 'A tired group.'];
  expect(bodies).toEqual([
    ['Ada Away', []],
    ['Leo Lamb', both],
    ['Mia Morgan', both],
  ]);
});

test("accepts a repeated save; doesn't overwrite a note that changed on another device [PROGRESS-1c]", async () => {
  const first = await outputOf(save({ body: 'Good' }));
  const second = await outputOf(save({ body: 'Good foot', seenAt: first.note!.updatedAt }));
  // The response was lost, so the client sends the same text again.
  expect(await outputOf(save({ body: 'Good foot', seenAt: first.note!.updatedAt }))).toEqual(second);
  const late = await outputOf(save({ body: 'From the old phone', seenAt: first.note!.updatedAt }));
  expect(late).toMatchObject({ isOutdated: true, note: { body: 'Good foot' } });
  await outputOf(save({ body: '', seenAt: second.note!.updatedAt }));
  expect(await notesOf(taught.parent)).toEqual([]);
});

test("doesn't overwrite a note for everyone that has changed since a device read it [PROGRESS-1c]", async () => {
  const slotId = await club.publish({ coachId: taught.coach.userId });
  const other = await club.join();
  const leo = await family.addReadyChild(other, { fullName: 'Leo Lamb' });
  await teach({ slotId });
  const { bookingId } = await teach({ slotId, parent: other, child: leo });
  await end(slotId);
  const markLeo = (attended: boolean) =>
    outputOf(app.call(taught.coach, lessonsApi.markAttendance, { bookingId, attended }));
  const first = await outputOf(saveForAll({ slotId, body: 'Serves' }));
  expect(first).toEqual({ updatedAt: expect.any(String), isOutdated: false });
  // The response was lost, so the client sends the same text again.
  expect(await outputOf(saveForAll({ slotId, body: 'Serves' }))).toEqual(first);
  // Leo is absent, so his copy keeps the first text and its earlier time.
  await markLeo(false);
  const second = await outputOf(saveForAll({ slotId, body: 'Returns', seenAt: first.updatedAt }));
  expect(second.isOutdated).toBe(false);
  await markLeo(true);
  for (const seenAt of [null, first.updatedAt]) {
    const late = await outputOf(saveForAll({ slotId, body: 'From the old phone', seenAt }));
    expect(late).toEqual({ updatedAt: second.updatedAt, isOutdated: true });
  }
  expect(await notesOf(taught.parent)).toMatchObject([{ body: 'Returns' }]);
  expect(await notesOf(other, leo)).toMatchObject([{ body: 'Serves' }]);
  await outputOf(saveForAll({ slotId, body: 'Volleys', seenAt: second.updatedAt }));
  // The screen may show either participant's copy.
  for (const index of [0, 1]) {
    const { attendees } = await lessonNotes(taught.coach, slotId);
    const seenAt = attendees[index]!.notes[0]!.updatedAt;
    const saved = await outputOf(saveForAll({ slotId, body: `Volleys ${index}`, seenAt }));
    expect(saved.isOutdated).toBe(false);
  }
  expect(await notesOf(taught.parent)).toMatchObject([{ body: 'Volleys 1' }]);
  expect(await notesOf(other, leo)).toMatchObject([{ body: 'Volleys 1' }]);
});

test('allows edits of a note for 7 days, and only additions after that [PROGRESS-1d]', async () => {
  const { note } = await outputOf(save());
  const { noteId } = note!;
  await age('6 days 23 hours');
  await outputOf(save({ body: 'Good footwork and serve.', seenAt: note!.updatedAt }));
  await age('2 hours');
  const { updatedAt } = (await notesOf(taught.parent))[0]!;
  for (const body of ['Changed', '']) {
    const refused = await save({ body, seenAt: updatedAt });
    expect([refused.status, refused.error?.message]).toEqual([
      409,
      'A note can be edited for 7 days. After that you can only add to it.',
    ]);
  }
  await outputOf(app.call(taught.coach, notesApi.addTo, { noteId, body: 'Two weeks later: better.' }));
  await outputOf(app.call(taught.coach, notesApi.addTo, { noteId, body: 'Two weeks later: better.' }));
  expect(await notesOf(taught.parent)).toMatchObject([
    { body: 'Good footwork and serve.', additions: [{ body: 'Two weeks later: better.' }] },
  ]);
  for (const change of [
    sql`update session_notes set body = 'Other' where note_id = ${noteId}::uuid`,
    sql`update session_notes set is_shared = false where note_id = ${noteId}::uuid`,
    sql`update note_additions set body = 'Other' where note_id = ${noteId}::uuid`,
  ]) {
    await expect(change.execute(app.db)).rejects.toThrow(/append-only|only added to/);
  }
});

test('adds at most 3 pictures to a note, and only while the family allows photos [PROGRESS-1b, FILE-8b]', async () => {
  const { noteId } = (await outputOf(save())).note!;
  const attachments = storageOf(app.url, taught.coach).from('attachments');
  const paths = [1, 2, 3, 4].map((number) => `${taught.coach.userId}/notes/${number}.webp`);
  for (const path of paths) expect((await attachments.upload(path, await makePicture())).error).toBeNull();
  const add = (path: string) => app.call(taught.coach, notesApi.addPicture, { noteId, path });
  expect((await add(paths[0]!)).error?.message).toBe("This family doesn't allow photos for coaching.");
  await allowPhotos('coaching');
  for (const path of paths.slice(0, 3)) await outputOf(add(path));
  await outputOf(add(paths[0]!));
  expect((await add(paths[3]!)).error?.message).toBe('A note can have 3 pictures. Remove one first.');
  const shown = (await notesOf(taught.parent))[0]!.pictures;
  expect(shown).toHaveLength(3);
  const open = ({ url }: { url: string }) => fetch(app.url + url);
  const opened = await open(shown[0]!);
  expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(opened.headers.get('content-disposition')).toMatch(/^attachment/);
  const token = new URL(app.url + shown[0]!.url).searchParams.get('token')!;
  const seconds = createAddressSigner(app.config).verify(`attachments/${paths[0]}`, token);
  expect(seconds).toBeLessThanOrEqual(2 * 3600);
  await outputOf(app.call(taught.coach, notesApi.removePicture, { noteId, path: paths[0]! }));
  expect((await notesOf(taught.parent))[0]!.pictures).toHaveLength(2);
  expect([(await open(shown[0]!)).status, (await open(shown[1]!)).status]).toEqual([404, 200]);
  await allowPhotos('none');
  expect((await notesOf(taught.parent))[0]!.pictures).toEqual([]);
  expect((await open(shown[1]!)).status).toBe(404);
  const left = app.db
    .selectFrom('storageObjects')
    .select('path')
    .where('ownerUserId', '=', taught.coach.userId);
  expect(await left.execute()).toEqual([{ path: paths[3]! }]);
  const insert = sql`insert into note_files (object_id, note_id)
    select object_id, ${noteId}::uuid from storage_objects where path = ${paths[3]!}`;
  await expect(insert.execute(app.db)).rejects.toThrow('no consent to a picture');
});

test('adds no picture while the family withdraws its consent to photos [PROGRESS-1b]', async () => {
  const { noteId } = (await outputOf(save())).note!;
  const path = `${taught.coach.userId}/notes/late.webp`;
  await storageOf(app.url, taught.coach)
    .from('attachments')
    .upload(path, await makePicture());
  await allowPhotos('coaching');
  let added: ReturnType<typeof addPicture> | undefined;
  const addPicture = () => app.call(taught.coach, notesApi.addPicture, { noteId, path });
  await app.db.transaction().execute(async (tx) => {
    await sql`select from participants where participant_id = ${taught.mia}::uuid for no key update`.execute(
      tx,
    );
    await sql`insert into consents (participant_id, kind, choice, text_version, given_by)
      select participant_id, kind, 'none', text_version, given_by from consents
      where participant_id = ${taught.mia}::uuid and kind = 'photos' limit 1`.execute(tx);
    added = addPicture();
    await untilLockIsAwaited(app.db);
  });
  expect((await added!).error?.message).toBe("This family doesn't allow photos for coaching.");
});

test('shows all guardians a shared note, and notifies them once without its text [PROGRESS-1e]', async () => {
  const other = await club.join();
  await family.shareWith(taught.parent, other, taught.mia);
  const marker = newMarker();
  const { note } = await outputOf(save({ body: `Good ${marker}` }));
  await save({ isShared: false, body: `Private ${marker}` });
  expect(await titlesOf(taught.parent)).toEqual([]);
  await settle();
  for (const guardian of [taught.parent, other]) {
    const [notification] = await eventually(async () => {
      const found = await titlesOf(guardian);
      return found.length > 0 && found;
    });
    expect(notification).toMatchObject({
      title: expect.stringMatching(/^New note after a lesson: Tennis basics, /),
      path: `/account/family/${taught.mia}/progress`,
    });
    const email = await eventually(async () =>
      (await app.emailsTo(guardian.email)).find(({ subject }) => subject.startsWith('New note')),
    );
    expect(email.text).toContain('a note about Mia');
    expect(JSON.stringify([notification, email])).not.toContain(marker);
    expect((await notesOf(guardian)).map(({ body }) => body)).toEqual([`Good ${marker}`]);
  }
  await outputOf(save({ body: `Better ${marker}`, seenAt: note!.updatedAt }));
  await settle();
  await eventually(async () => {
    const { rows } =
      await sql`select from graphile_worker.jobs where task_identifier = 'progress.note-shared'`.execute(
        app.db,
      );
    return rows.length === 0;
  });
  expect(await titlesOf(taught.parent)).toHaveLength(1);
  await outputOf(app.call(other, guardiansApi.leave, { participantId: taught.mia }));
  expect((await app.call(other, progressApi.get, { participantId: taught.mia })).status).toBe(404);
  const traces = await sql<{ text: string }>`
    select coalesce(string_agg(found, ''), '') as text from (
      select title || summary || coalesce(path, '') as found from notifications
      union all select payload::text from graphile_worker._private_jobs
      union all select coalesce(before::text, '') || coalesce(after::text, '') from audit_log) found`.execute(
    app.db,
  );
  expect(traces.rows[0]!.text).not.toContain(marker);
});

test("includes private notes in the family's download [PROGRESS-4b]", async () => {
  const marker = newMarker();
  await outputOf(save({ isShared: false, body: marker }));
  expect(await notesOf(taught.parent)).toEqual([]);
  const { body } = await app.call(taught.parent, participantDataApi.download, {
    participantId: taught.mia,
    ...ownProof,
  });
  const { rows } = body.records.find(({ table }) => table === 'sessionNotes')!;
  expect(rows).toMatchObject([{ body: marker, isShared: false }]);
});
