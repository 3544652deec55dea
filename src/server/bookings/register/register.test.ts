import { beforeEach, expect, test } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { bornYearsAgo, openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

let coach: Someone;
let parent: Someone;
let mia: string;
let slotId: string;
const nuts = { ...plainCare, notes: { ...plainCare.notes!, allergies: 'Nuts' } };

// Each test has its own coach, with an upcoming lesson that is booked for a child.
beforeEach(async () => {
  parent = await club.join();
  mia = await family.addReadyChild(parent, {
    fullName: 'Mia Morgan',
    knownAs: 'Mia',
    dateOfBirth: bornYearsAgo(9),
  });
  await family.saveCare(parent, mia, nuts);
  coach = await app.signIn('coach', 'customer');
  slotId = await club.publish({ coachId: coach.userId });
  expect((await family.bookFor(parent, slotId, mia)).status).toBe(200);
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
});

const open = (who: Someone | null, id = slotId) => app.call(who, registerApi.open, { slotId: id });
const readsOf = async (participantId = mia) =>
  (await app.call(parent, careApi.listCareReads, { participantId })).body.reads;
const attendees = async () => (await app.call(coach, lessonsApi.listAttendees, { slotId })).body.attendees;
const give = (
  kind: 'photos' | 'first_aid' | 'medical',
  choice: 'club' | 'coaching' | 'none' | 'yes' | 'no',
  guardian = parent,
) =>
  app.call(guardian, careApi.giveConsent, {
    ...{ participantId: mia, kind, choice, textVersion: consentTexts[kind].version },
  });

test("shows coaches a participant's name, age, photo consent and whether notes exist [PART-5a]", async () => {
  await club.putAt(slotId, 60 * 24 * 30);
  await give('photos', 'coaching');
  await club.book(parent, slotId);
  // Leo turns ten before the lesson.
  const leo = await family.addReadyChild(parent, { dateOfBirth: bornYearsAgo(10, -20) });
  expect((await family.bookFor(parent, slotId, leo)).status).toBe(200);
  await eventually(async () => (await attendees()).length === 3);
  expect(await attendees()).toMatchObject([
    {
      ...{ participantId: mia, fullName: 'Mia Morgan', knownAs: 'Mia', isDependant: true },
      ...{ age: 9, hasNotes: true, photos: 'coaching', avatarUrl: null },
      ...{ bookedBy: expect.stringMatching(/^Person/), email: parent.email },
    },
    {
      ...{ participantId: parent.userId, isDependant: false, age: null, hasNotes: false, photos: 'none' },
      ...{ bookedBy: null, email: parent.email },
    },
    { participantId: leo, age: 10 },
  ]);
  expect(JSON.stringify(await attendees())).not.toMatch(/Nuts|0113 496/);
  expect(await readsOf()).toEqual([]);
  await club.putAt(slotId, 60 * 24 * 10);
  expect((await attendees()).find(({ participantId }) => participantId === leo)!.age).toBe(9);
});

test('opens the register from 7 days before the lesson until 24 hours after it [PART-5b]', async () => {
  const dayMinutes = 24 * 60;
  for (const [startsIn, status] of [
    [7 * dayMinutes + 5, 409],
    [7 * dayMinutes - 5, 200],
    [-dayMinutes - 60 + 5, 200],
    [-dayMinutes - 60 - 5, 409],
  ] as const) {
    await club.putAt(slotId, startsIn);
    expect((await open(coach)).status, `${startsIn} minutes before`).toBe(status);
  }
  await club.putAt(slotId, 90);
  const { body } = await open(coach);
  const { endTime } = await club.readSlot(slotId);
  expect(Date.parse(body.visibleUntil)).toBe(Date.parse(endTime) + 24 * 3_600_000);
  expect(body.lesson).toMatchObject({ slotId, title: 'Tennis basics' });
  expect(body.entries).toEqual([
    {
      bookingId: expect.any(String),
      ...{ participantId: mia, fullName: 'Mia Morgan', knownAs: 'Mia', isDependant: true, age: 9 },
      ...{ hasNotes: true, photos: 'none', firstAid: null, attended: null },
      bookedBy: expect.stringMatching(/^Person/),
      care: { ...nuts, confirmedAt: expect.any(String) },
    },
  ]);
  for (const who of [await app.signIn('coach'), await app.signIn('coach', 'admin')]) {
    expect((await open(who)).status).toBe(404);
  }
  expect((await open(parent)).status).toBe(403);
  expect((await open(null)).status).toBe(401);
});

test('records every opening of the register, and shows it to the family [PART-5d]', async () => {
  await club.putAt(slotId, 120);
  await club.book(parent, slotId);
  await open(coach);
  await open(coach);
  const { startTime } = await club.readSlot(slotId);
  const reads = await readsOf();
  expect(reads).toHaveLength(2);
  expect(reads[0]).toEqual({
    ...{ readAt: expect.any(String), readerName: expect.stringMatching(/^Person/), readerRole: 'coach' },
    ...{ lesson: { title: 'Tennis basics', startTime }, reason: null },
  });
  expect(await readsOf(parent.userId), 'an adult without care details').toEqual([]);
  const first = await app.call(parent, careApi.listCareReads, { participantId: mia, limit: 1 });
  const { nextCursor } = first.body;
  const next = await app.call(parent, careApi.listCareReads, {
    participantId: mia,
    limit: 1,
    cursor: nextCursor!,
  });
  expect([...first.body.reads, ...next.body.reads]).toEqual(reads);
  expect(next.body.nextCursor).toBeNull();
});

test('leaves cancelled bookings out of registers; opens none for a cancelled lesson [PART-5b]', async () => {
  await give('photos', 'coaching');
  await club.putAt(slotId, 48 * 60);
  const leo = await family.addReadyChild(parent, { fullName: 'Leo Morgan' });
  await family.bookFor(parent, slotId, leo);
  await eventually(async () => (await open(coach)).body.entries.length === 2);
  const { bookingId } = (await club.readBookings(slotId)).find(({ participantId }) => participantId === mia)!;
  const seenOf = async (id: string) => (await attendees()).find(({ participantId }) => participantId === id);
  expect(await seenOf(mia)).toMatchObject({ age: 9, hasNotes: true, photos: 'coaching' });
  await app.db
    .updateTable('bookings')
    .set({ status: 'cancelled', cancelledAt: new Date().toISOString(), cancelledBy: 'customer' })
    .where('bookingId', '=', bookingId)
    .execute();
  expect((await open(coach)).body.entries.map(({ fullName }) => fullName)).toEqual(['Leo Morgan']);
  expect(await seenOf(mia)).toMatchObject({
    ...{ fullName: 'Mia Morgan', status: 'cancelled', age: null, hasNotes: false, photos: 'none' },
  });
  await app.db.updateTable('lessonSlots').set({ bookedCount: 1 }).where('slotId', '=', slotId).execute();
  await app.call(coach, lessonsApi.cancelSlot, { slotId, reason: 'Rain' });
  const gone = await open(coach);
  expect([gone.status, gone.error?.message]).toEqual([409, 'This lesson is cancelled.']);
});

test('notifies the coach of a consent withdrawn an hour before the lesson [PART-4b, PART-11c]', async () => {
  await club.putAt(slotId, 60);
  await give('photos', 'club');
  await give('first_aid', 'yes');
  expect((await open(coach)).body.entries[0]).toMatchObject({
    photos: 'club',
    firstAid: 'yes',
    hasNotes: true,
  });
  const other = await app.signIn('customer');
  await family.shareWith(parent, other, mia);
  await give('photos', 'none', other);
  expect((await open(coach)).body.entries[0]).toMatchObject({ photos: 'none', firstAid: 'yes' });
  await give('first_aid', 'no');
  await give('medical', 'no');
  expect((await open(coach)).body.entries[0]).toMatchObject({
    ...{ firstAid: 'no', hasNotes: false },
    care: { notes: null, contacts: plainCare.contacts },
  });
  const emails = await eventually(async () => {
    const about = (await app.emailsTo(coach.email)).filter(({ text }) => text.includes('Mia Morgan'));
    const withdrawn = about.filter(({ subject }) => subject.startsWith('A consent was withdrawn:'));
    return withdrawn.length === 3 && withdrawn;
  });
  const texts = emails.map(({ text }) => text).join('\n');
  expect(texts).toContain('Photos and videos: No photos or videos');
  expect(texts).toContain('First aid: No');
  expect(texts).toContain('Please destroy any copies that you made.');
  expect(texts).not.toContain('Nuts');
  const stored = await app.db
    .selectFrom('notifications')
    .select(['title', 'summary'])
    .where('kind', '=', 'consent_reduced')
    .execute();
  expect(JSON.stringify(stored), 'the stored title names no child').not.toContain('Mia');
});

test('opens the register for owners and welfare officers, not for other colleagues [PART-5b]', async () => {
  const [employee, officer, colleague] = [
    await app.signIn('coach', 'customer'),
    await app.signIn('coach'),
    await app.signIn('coach'),
  ];
  await app.call(coach, businessesApi.saveBusiness, { businessName: `Club ${slotId.slice(0, 6)}` });
  for (const member of [employee, officer, colleague]) {
    await app.call(coach, invitationsApi.inviteCoach, { email: member.email });
    const message = await eventually(async () =>
      (await app.emailsTo(member.email)).find(({ text }) => text.includes('/team-invitation?')),
    );
    const token = /token=([\w-]+)/.exec(message.text)![1]!;
    await app.call(member, invitationsApi.acceptInvitation, { token });
  }
  const ofEmployee = await club.publish({ coachId: employee.userId });
  await family.bookFor(parent, ofEmployee, mia);
  await eventually(async () => (await club.readBookings(ofEmployee))[0]!.status === 'booked');
  const setOfficer = (who: Someone, isWelfareOfficer: boolean) =>
    app.call(who, businessesApi.setWelfareOfficer, { coachId: officer.userId, isWelfareOfficer });
  expect((await setOfficer(colleague, true)).status).toBe(403);
  expect((await open(officer, ofEmployee)).status).toBe(404);
  expect((await setOfficer(coach, true)).status).toBe(200);

  const lists = async (who: Someone) =>
    (await app.call(who, registerApi.listOfTeam, {})).body.lessons.map((lesson) => lesson.slotId);
  for (const [who, status] of [
    [coach, 200],
    [officer, 200],
    [employee, 200],
    [colleague, 404],
  ] as const) {
    const opened = await open(who, ofEmployee);
    expect(opened.status).toBe(status);
    if (status === 200) expect(opened.body.entries).toMatchObject([{ participantId: mia, care: nuts }]);
    expect((await lists(who)).includes(ofEmployee)).toBe(status === 200 && who !== employee);
  }
  expect((await readsOf()).map(({ readerRole }) => readerRole)).toEqual([
    'coach',
    'welfare_officer',
    'owner',
  ]);
  const { body } = await app.call(coach, businessesApi.listTeam, {});
  expect(
    body.team?.members.filter((member) => member.isWelfareOfficer).map(({ coachId }) => coachId),
  ).toEqual([officer.userId]);

  // The officer's rights end with the membership.
  await app.call(officer, businessesApi.leaveTeam, { endsBusiness: false });
  expect((await open(officer, ofEmployee)).status).toBe(404);
  const { isWelfareOfficer } = await app.db
    .selectFrom('coaches')
    .select('isWelfareOfficer')
    .where('coachId', '=', officer.userId)
    .executeTakeFirstOrThrow();
  expect(isWelfareOfficer).toBe(false);
});

test("opens the register for a lesson's new coach, and closes it for the former one [PART-5b]", async () => {
  const next = await app.signIn('coach');
  await club.putAt(slotId, 60);
  expect([(await open(coach)).status, (await open(next)).status]).toEqual([200, 404]);
  const ofSlot = app.db.updateTable('lessonSlots').where('slotId', '=', slotId);
  await ofSlot.set({ coachId: next.userId }).execute();
  expect([(await open(coach)).status, (await open(next)).status]).toEqual([404, 200]);
  expect((await app.call(coach, lessonsApi.listAttendees, { slotId })).status).toBe(404);
  expect((await app.call(next, lessonsApi.listAttendees, { slotId })).body.attendees).toHaveLength(1);
});
