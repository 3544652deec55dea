import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { welfareApi } from '#domain/progress/welfare-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { newMarker } from '#server/test-support/family.test-support.ts';
import { eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { setUpTaught } from './progress.test-support.ts';

const { app, club, family, taught, save, notesOf, lessonNotes, teach, end } = setUpTaught();

const taughtProgress = (coach = taught.coach, participantId = taught.mia) =>
  app.call(coach, skillsApi.getParticipant, { participantId });
const progressOf = (who: Someone) => outputOf(app.call(who, progressApi.get, { participantId: taught.mia }));
const saveTennis = (coach: Someone, ...skills: { skillId?: string; name: string }[]) =>
  app.call(coach, skillsApi.saveList, { sport: 'tennis', skills });
const assess = (skillId: string, level: number, bookingId = taught.bookingId) =>
  app.call(taught.coach, skillsApi.assess, { bookingId, skillId, level });
const answer = (who: Someone, rating = 4, body = 'She loved it.') =>
  app.call(who, progressApi.answer, { bookingId: taught.bookingId, rating, body });

/** Makes a coach the owner of a new business with this team. */
async function found(owner: Someone, ...team: Someone[]): Promise<string> {
  const { business } = await outputOf(
    app.call(owner, businessesApi.saveBusiness, { businessName: 'Leeds Tennis' }),
  );
  const { businessId } = business!;
  for (const { userId } of team) {
    await app.db.updateTable('coaches').set({ businessId }).where('coachId', '=', userId).execute();
  }
  return businessId;
}

test('sets goals with or without a date, and marks them as reached, dropped or open [PROGRESS-2a]', async () => {
  const add = (title: string, dueOn: string | null) =>
    outputOf(app.call(taught.coach, skillsApi.addGoal, { bookingId: taught.bookingId, title, dueOn }));
  const serve = await add('Ten serves in a row', '2030-05-01');
  const swim = await add('Beat Dad', null);
  expect((await progressOf(taught.parent)).goals).toMatchObject([
    { title: 'Beat Dad', dueOn: null, status: 'open', sport: 'tennis' },
    { title: 'Ten serves in a row', dueOn: '2030-05-01', status: 'open', sport: 'tennis' },
  ]);
  const update = (goalId: string, status: 'open' | 'reached' | 'dropped') =>
    app.call(taught.coach, skillsApi.updateGoal, { goalId, title: 'Goal', dueOn: null, status });
  await outputOf(update(serve.goalId, 'reached'));
  await outputOf(update(swim.goalId, 'dropped'));
  const { goals } = await progressOf(taught.parent);
  expect(goals.map(({ status }) => status).sort()).toEqual(['dropped', 'reached']);
  expect(goals.every(({ decidedAt }) => decidedAt !== null)).toBe(true);
  await outputOf(update(swim.goalId, 'open'));
  expect((await progressOf(taught.parent)).goals).toMatchObject([{ status: 'open', decidedAt: null }, {}]);
  const input = { goalId: swim.goalId, title: 'Mine', dueOn: null, status: 'open' } as const;
  expect((await app.call(await app.signIn('coach'), skillsApi.updateGoal, input)).status).toBe(404);
});

test('uses the skill list of the business, which only its owners can edit [PROGRESS-2b]', async () => {
  const own = (await outputOf(saveTennis(taught.coach, { name: 'Own serve' }))).skills;
  expect(own).toMatchObject([{ name: 'Own serve', sport: 'tennis' }]);
  const owner = await app.signIn('coach');
  await found(owner, taught.coach);
  expect((await saveTennis(taught.coach, { name: 'Serve' })).status).toBe(403);
  const { skills } = await outputOf(saveTennis(owner, { name: 'Serve' }, { name: 'Footwork' }));
  const [serve, footwork] = skills.map(({ skillId }) => skillId) as [string, string];
  expect(await outputOf(app.call(taught.coach, skillsApi.getLists, {}))).toEqual({
    ...{ skills, canEdit: false, payoutNeeds: 'none' },
  });
  expect((await assess(own[0]!.skillId, 3)).status).toBe(404);
  for (const level of [0, 6]) expect((await assess(serve, level)).status).toBe(422);
  await outputOf(assess(serve, 1));
  await outputOf(assess(serve, 5));
  expect((await saveTennis(owner, { name: 'Serve' }, { name: 'serve' })).status).toBe(422);
  const swapped = [
    { skillId: footwork, name: 'Serve' },
    { skillId: serve, name: 'Footwork' },
  ];
  expect((await outputOf(saveTennis(owner, ...swapped))).skills).toMatchObject(swapped);
  // Each sport has its own list.
  await outputOf(app.call(owner, skillsApi.saveList, { sport: 'swimming', skills: [{ name: 'Turns' }] }));
  const lists = (await outputOf(app.call(owner, skillsApi.getLists, {}))).skills;
  expect(lists.filter(({ sport }) => sport === 'tennis')).toMatchObject(swapped);
  expect(lists.filter(({ sport }) => sport === 'swimming')).toMatchObject([{ name: 'Turns' }]);
  expect((await lessonNotes()).attendees[0]!.levels).toEqual([{ skillId: serve, level: 5 }]);
});

test('keeps one whole skill list when two owners save different ones simultaneously', async () => {
  const [first, second] = [await app.signIn('coach'), await app.signIn('coach')];
  await found(first, second);
  await app.db
    .updateTable('coaches')
    .set({ businessRole: 'owner' })
    .where('coachId', '=', second.userId)
    .execute();
  const lists = [
    ['Serve', 'Footwork'],
    ['Volley', 'Smash'],
  ].map((names) => names.map((name) => ({ name })));
  for (const round of [1, 2, 3]) {
    await outputOf(saveTennis(first));
    const saved = await Promise.all(
      [first, second].map((owner, index) => saveTennis(owner, ...lists[index]!)),
    );
    expect(saved.map(({ status }) => status)).toEqual([200, 200]);
    const { skills } = await outputOf(app.call(first, skillsApi.getLists, {}));
    expect(lists, `round ${round}`).toContainEqual(skills.map(({ name }) => ({ name })));
  }
});

test('keeps assessments as dated entries that are never overwritten [PROGRESS-2c]', async () => {
  const { skills } = await outputOf(saveTennis(taught.coach, { name: 'Serve' }));
  const { skillId } = skills[0]!;
  await outputOf(assess(skillId, 2));
  await outputOf(assess(skillId, 2));
  await outputOf(assess(skillId, 3));
  const later = await teach();
  await end(later.slotId, 0);
  await outputOf(assess(skillId, 3, later.bookingId));
  for (const change of [
    sql`update assessments set level = 5`,
    sql`update assessments set at = now() - interval '1 day'`,
    sql`update assessments set skill_name = 'Other'`,
  ]) {
    await expect(change.execute(app.db)).rejects.toThrow('assessments is append-only');
  }
  await outputOf(saveTennis(taught.coach));
  const [serve, ...more] = (await progressOf(taught.parent)).skills;
  expect(more).toEqual([]);
  expect(serve).toMatchObject({ sport: 'tennis', name: 'Serve' });
  expect(serve!.assessments.map(({ level }) => level)).toEqual([2, 3, 3]);
  const dates = serve!.assessments.map(({ at }) => Date.parse(at));
  expect(dates).toEqual([...dates].sort((a, b) => a - b));
});

test("accepts a family's answer from 1 to 5, with or without a sentence [PROGRESS-3a]", async () => {
  for (const rating of [0, 6]) expect((await answer(taught.parent, rating)).status).toBe(422);
  await outputOf(answer(taught.parent, 4));
  await outputOf(answer(taught.parent, 5, ''));
  expect((await progressOf(taught.parent)).lessons[0]).toMatchObject({
    ...{ answer: { rating: 5, body: '' }, isAnswerable: true },
  });
  expect((await answer(await club.join())).status).toBe(404);
  await app.call(taught.coach, lessonsApi.markAttendance, { bookingId: taught.bookingId, attended: false });
  expect((await answer(taught.parent)).error?.message).toBe('The coach marked this lesson as missed.');
  const upcoming = await teach();
  const early = { bookingId: upcoming.bookingId, rating: 3 };
  expect((await app.call(taught.parent, progressApi.answer, early)).status).toBe(409);
  await club.putAt(upcoming.slotId, -10);
  expect((await app.call(taught.parent, progressApi.answer, early)).status, 'during the lesson').toBe(409);
});

test("shows an answer to the lesson's coach, not to the business owner or the public [PROGRESS-3b]", async () => {
  const marker = newMarker();
  const owner = await app.signIn('coach');
  await found(owner, taught.coach);
  await outputOf(answer(taught.parent, 1, marker));
  const { attendees } = await lessonNotes();
  expect(attendees[0]!.answer).toMatchObject({ rating: 1, body: marker });
  expect((await outputOf(taughtProgress())).lessons[0]!.answer).toMatchObject({ body: marker });
  expect((await taughtProgress(owner)).status).toBe(404);
  const { rating } = await outputOf(app.call(null, reviewsApi.list, { coachId: taught.coach.userId }));
  expect(rating).toMatchObject({ reviews: 0, mean: null });
  const visible = [
    `/coaches/${taught.coach.userId}`,
    `/api/coaches/${taught.coach.userId}`,
    ...['/', '/api/slots', `/api/slots/${taught.slotId}`],
  ];
  for (const path of visible) expect(await (await fetch(app.url + path)).text(), path).not.toContain(marker);
});

test('hides notes from a coach who has left the business, but not from the family [PROGRESS-4d]', async () => {
  const owner = await app.signIn('coach');
  const businessId = await found(owner, taught.coach);
  const { note } = await outputOf(save({ body: 'For the business' }));
  await save({ isShared: false, body: 'Private' });
  await outputOf(answer(taught.parent));
  const concern = { bookingId: taught.bookingId, body: 'Was hurt at home' };
  await outputOf(app.call(taught.coach, welfareApi.report, concern));
  const concerns = async () => (await outputOf(app.call(taught.coach, welfareApi.list, {}))).concerns;
  expect(await concerns()).toMatchObject([{ body: concern.body, isMine: true }]);
  await app.db
    .updateTable('coaches')
    .set({ businessId: null })
    .where('coachId', '=', taught.coach.userId)
    .execute();
  expect(await concerns()).toEqual([]);
  expect((await lessonNotes()).attendees).toMatchObject([{ notes: [], answer: null }]);
  expect((await outputOf(taughtProgress())).lessons).toMatchObject([{ notes: [], answer: null }]);
  expect((await save({ body: 'Changed', seenAt: note!.updatedAt })).status).toBe(409);
  expect(await notesOf(taught.parent)).toMatchObject([{ body: 'For the business' }]);
  await app.db
    .updateTable('coaches')
    .set({ businessId })
    .where('coachId', '=', taught.coach.userId)
    .execute();
  expect((await lessonNotes()).attendees[0]!.notes).toHaveLength(2);
  await app.db
    .updateTable('profiles')
    .set({ roles: ['customer'] })
    .where('userId', '=', taught.coach.userId)
    .execute();
  expect((await taughtProgress()).status).toBe(403);
  expect(await concerns()).toEqual([]);
  expect(await notesOf(taught.parent)).toHaveLength(1);
});

test('erases private notes and answers with the coach, and shared notes with the child', async () => {
  const marker = newMarker();
  await outputOf(save({ body: `Shared ${marker}` }));
  await outputOf(save({ isShared: false, body: `Private ${marker}` }));
  await outputOf(answer(taught.parent, 4, `Answer ${marker}`));
  const admin = await app.signIn('admin');
  const { payrun } = await outputOf(
    app.call(admin, payoutsApi.createPayrun, { bookingIds: [taught.bookingId] }),
  );
  await outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId }));
  await outputOf(app.call(taught.coach, ownAccountApi.deleteAccount, {}));
  const bodies = async () => {
    const { rows } = await sql<{ body: string }>`
      select body from session_notes where participant_id = ${taught.mia}::uuid
      union all select body from lesson_answers where participant_id = ${taught.mia}::uuid`.execute(app.db);
    return rows.map(({ body }) => body);
  };
  expect(await bodies()).toEqual([`Shared ${marker}`]);
  expect(await notesOf(taught.parent)).toMatchObject([{ body: `Shared ${marker}` }]);
  await outputOf(app.call(taught.parent, participantDataApi.delete, { participantId: taught.mia }));
  expect(await bodies()).toEqual([]);
});

test('stops a former guardian from reading progress or answering', async () => {
  const other = await club.join();
  await family.shareWith(taught.parent, other, taught.mia);
  await outputOf(save());
  expect(await notesOf(other)).toHaveLength(1);
  await outputOf(app.call(taught.parent, guardiansApi.leave, { participantId: taught.mia }));
  expect((await app.call(taught.parent, progressApi.get, { participantId: taught.mia })).status).toBe(404);
  expect((await answer(taught.parent)).status).toBe(404);
});

test('sends a welfare concern to officers, else to owners, else to admins [PROGRESS-4c, DASH-6, ROLE-6b]', async () => {
  const marker = newMarker();
  const [owner, officer, admin] = [
    await app.signIn('coach'),
    await app.signIn('coach'),
    await app.signIn('admin'),
  ];
  const report = (body: string) =>
    outputOf(
      app.call(taught.coach, welfareApi.report, { bookingId: taught.bookingId, body: `${body} ${marker}` }),
    );
  const readBy = async (who: Someone) => (await outputOf(app.call(who, welfareApi.list, {}))).concerns;
  const notified = async (who: Someone) => {
    const emails = await app.emailsTo(who.email);
    return emails.filter(({ subject }) => subject === 'A coach has reported a welfare concern');
  };
  expect(await report('Solo')).toEqual({ goesTo: 'admins' });
  await eventually(async () => (await notified(admin)).length === 1);
  expect(await readBy(admin)).toMatchObject([
    { body: `Solo ${marker}`, participantName: 'Mia Morgan', isMine: false },
  ]);
  await found(owner, taught.coach, officer);
  expect(await report('Owner')).toEqual({ goesTo: 'owner' });
  expect(await report('Owner')).toEqual({ goesTo: 'owner' });
  await eventually(async () => (await notified(owner)).length === 1);
  await app.db
    .updateTable('coaches')
    .set({ isWelfareOfficer: true })
    .where('coachId', '=', officer.userId)
    .execute();
  expect(await report('Officer')).toEqual({ goesTo: 'officers' });
  await eventually(async () => (await notified(officer)).length === 1);
  const emails = JSON.stringify(await app.listEmails());
  expect(emails).toContain('A coach has reported a welfare concern');
  expect(emails).not.toContain(marker);
  expect(await readBy(admin)).toHaveLength(1);
  const [concern, ...more] = await readBy(officer);
  expect(more).toHaveLength(1);
  expect(await readBy(taught.parent)).toEqual([]);
  expect((await readBy(taught.coach)).every(({ isMine }) => isMine)).toBe(true);
  const { concernId } = concern!;
  for (const who of [taught.parent, taught.coach, admin]) {
    expect((await app.call(who, welfareApi.handle, { concernId })).status).toBe(404);
  }
  const home = async () => (await outputOf(app.call(admin, adminHomeApi.getAdminHome, {}))).welfareConcerns;
  expect(await home()).toBe(1);
  const { concernId: solo } = (await readBy(admin))[0]!;
  await outputOf(app.call(admin, welfareApi.handle, { concernId: solo }));
  expect(await home()).toBe(0);
  const handled = app.db
    .selectFrom('auditLog')
    .select(['actorUserId', 'subjectId'])
    .where('action', '=', 'welfare_concern.handled');
  expect(await handled.execute()).toEqual([{ actorUserId: admin.userId, subjectId: solo }]);
  await outputOf(app.call(officer, welfareApi.handle, { concernId }));
  expect((await readBy(taught.coach))[0]).toMatchObject({ handledAt: expect.any(String) });
  expect(JSON.stringify(await progressOf(taught.parent))).not.toContain(marker);
});

test("never notifies the participant's guardians of a welfare concern [PROGRESS-4c]", async () => {
  const [owner, admin] = [await app.signIn('coach'), await app.signIn('admin')];
  await found(owner, taught.coach);
  const addGuardian = ({ userId }: Someone) =>
    app.db
      .insertInto('guardians')
      .values({ participantId: taught.mia, userId, relation: 'parent' })
      .execute();
  await addGuardian(owner);
  const concerned = { bookingId: taught.bookingId };
  const report = (body: string) =>
    outputOf(app.call(taught.coach, welfareApi.report, { ...concerned, body }));
  expect(await report('About the owner')).toEqual({ goesTo: 'admins' });
  const isAbout = ({ subject }: { subject: string }) => subject === 'A coach has reported a welfare concern';
  await eventually(async () => (await app.emailsTo(admin.email)).some(isAbout));
  const { rows } = await sql<{ userId: string }>`
    select user_id from notifications where kind = 'welfare_concern'
      and subject_id in (select concern_id from welfare_concerns where body = 'About the owner')`.execute(
    app.db,
  );
  expect(rows.map(({ userId }) => userId)).toContain(admin.userId);
  expect(rows.map(({ userId }) => userId)).not.toContain(owner.userId);
  expect((await outputOf(app.call(owner, welfareApi.list, {}))).concerns).toEqual([]);
});

test('sends a concern about an officer to the owner, and hides it from that officer [PROGRESS-4c]', async () => {
  const officer = await app.signIn('coach', 'customer');
  await club.saveCard(officer, testCards.good);
  await found(await app.signIn('coach'), taught.coach, officer);
  await app.db
    .updateTable('coaches')
    .set({ isWelfareOfficer: true })
    .where('coachId', '=', officer.userId)
    .execute();
  const { slotId, bookingId } = await teach({ parent: officer, child: officer.userId });
  await end(slotId);
  const body = 'Shouted at the children.';
  expect(await outputOf(app.call(taught.coach, welfareApi.report, { bookingId, body }))).toEqual({
    goesTo: 'owner',
  });
  expect((await outputOf(app.call(officer, welfareApi.list, {}))).concerns).toEqual([]);
});

test('logs who has read a welfare concern, once per person [PROGRESS-4e]', async () => {
  const [owner, officer, admin] = [
    await app.signIn('coach'),
    await app.signIn('coach'),
    await app.signIn('admin'),
  ];
  await found(owner, taught.coach, officer);
  await app.db
    .updateTable('coaches')
    .set({ isWelfareOfficer: true })
    .where('coachId', '=', officer.userId)
    .execute();
  const body = 'Came with bruises again.';
  await outputOf(app.call(taught.coach, welfareApi.report, { bookingId: taught.bookingId, body }));
  const readBy = async (who: Someone) => (await outputOf(app.call(who, welfareApi.list, {}))).concerns;
  for (const who of [taught.coach, admin, owner, owner, officer]) await readBy(who);
  const { concernId } = (await readBy(officer))[0]!;
  const readers = await app.db
    .selectFrom('auditLog')
    .select('actorUserId')
    .where('subjectId', '=', concernId)
    .where('action', '=', 'welfare_concern.read')
    .orderBy('auditId')
    .execute();
  // The reporting coach's reading isn't logged, and the admin can't see the concern.
  expect(readers.map(({ actorUserId }) => actorUserId)).toEqual([owner.userId, officer.userId]);
});
