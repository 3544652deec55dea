import { expect, test } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { bornYearsAgo, openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const family = openFamily(app);
const child = {
  fullName: 'Mia Morgan',
  dateOfBirth: '2016-05-28',
  relation: 'parent',
  isAdult: true,
} as const;

test('lists the account holder first, with no setup needed, then dependants by name [BASE-8a, PART-1a]', async () => {
  const parent = await app.signIn('customer');
  const alone = await app.call(parent, participantsApi.list, {});
  expect(alone.body.participants).toEqual([
    {
      participantId: parent.userId,
      kind: 'self',
      fullName: expect.stringMatching(/^Person/),
      knownAs: null,
      dateOfBirth: null,
      relation: null,
      guardians: [],
      consents: { photos: null, firstAid: null, medical: null },
      careState: 'missing',
      careConfirmedAt: null,
      upcomingLessons: 0,
    },
  ]);
  for (const role of ['coach', 'admin'] as const) {
    const person = await app.signIn(role);
    const { body: listed } = await app.call(person, participantsApi.list, {});
    expect(listed.participants, role).toMatchObject([{ participantId: person.userId, kind: 'self' }]);
  }
  await app.call(parent, participantsApi.add, { ...child, fullName: 'Zoe Morgan' });
  const added = await app.call(parent, participantsApi.add, { ...child, knownAs: 'Mi', relation: 'carer' });
  expect(added.body.participant).toMatchObject({
    ...{ kind: 'dependant', fullName: 'Mia Morgan', knownAs: 'Mi', dateOfBirth: '2016-05-28' },
    relation: 'carer',
    guardians: [{ fullName: expect.stringMatching(/^Person/), relation: 'carer', isMe: true }],
  });
  const { body } = await app.call(parent, participantsApi.list, {});
  expect(body.participants.map(({ fullName }) => fullName)).toEqual([
    expect.stringMatching(/^Person/),
    'Mia Morgan',
    'Zoe Morgan',
  ]);
});

test('requires a date of birth and a declaration of being 18 or over [PART-1b, PART-1c]', async () => {
  const parent = await app.signIn('customer');
  const refuse = async (given: object) => {
    const { status, error } = await app.call(parent, participantsApi.add, {
      ...child,
      ...given,
    } as typeof child);
    expect(status).toBe(422);
    return error?.fields;
  };
  expect(await refuse({ isAdult: false })).toEqual({ isAdult: 'Confirm that you are 18 or over.' });
  expect(await refuse({ isAdult: undefined })).toHaveProperty('isAdult');
  expect(await refuse({ dateOfBirth: undefined })).toHaveProperty('dateOfBirth');
  expect(await refuse({ dateOfBirth: '2015-02-29' })).toHaveProperty('dateOfBirth');
  const tomorrow = addDays(wallTimeOf(Date.now()).date, 1);
  expect(await refuse({ dateOfBirth: tomorrow })).toEqual({
    dateOfBirth: "The date of birth can't be in the future.",
  });
  expect(await refuse({ fullName: ' ' })).toHaveProperty('fullName');
});

test('refuses the eleventh participant, even when many are added simultaneously [PART-1a]', async () => {
  const parent = await app.signIn('customer');
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => app.call(parent, participantsApi.add, child)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(new Set(answers.flatMap(({ error }) => error?.message ?? []))).toEqual(
    new Set(['You can book for up to 10 people, including yourself.']),
  );
});

test("changes a dependant's details, and the account holder's except for the name [PART-12a]", async () => {
  const parent = await app.signIn('customer');
  const participantId = await family.addChild(parent);
  const changed = await app.call(parent, participantsApi.update, {
    ...{ participantId, fullName: 'Mia Reed', knownAs: 'Mimi', dateOfBirth: bornYearsAgo(9) },
    relation: 'grandparent',
  });
  expect(changed.body.participant).toMatchObject({
    ...{ fullName: 'Mia Reed', knownAs: 'Mimi', dateOfBirth: bornYearsAgo(9), relation: 'grandparent' },
  });
  const own = { participantId: parent.userId };
  const self = await app.call(parent, participantsApi.update, {
    ...own,
    dateOfBirth: '1980-02-29',
    knownAs: 'Al',
  });
  expect(self.body.participant).toMatchObject({ kind: 'self', dateOfBirth: '1980-02-29', knownAs: 'Al' });
  const renamed = await app.call(parent, participantsApi.update, { ...own, fullName: 'Somebody Else' });
  expect([renamed.status, renamed.error?.message]).toEqual([
    409,
    'Your name belongs to your account. Change it on your account page.',
  ]);
  const audit = await app.db
    .selectFrom('auditLog')
    .select(['action', 'after'])
    .where('subjectId', '=', participantId)
    .orderBy('auditId')
    .execute();
  expect(audit).toEqual([
    { action: 'participant.added', after: { changed: ['fullName', 'dateOfBirth'] } },
    { action: 'participant.changed', after: { changed: ['fullName', 'knownAs', 'dateOfBirth'] } },
  ]);
  const corrected = {
    notes: { ...plainCare.notes!, allergies: 'Nuts' },
    contacts: [{ name: 'Robin Reed', telephone: '0113 496 0001', relation: 'Grandmother' }],
    collection: { mayLeaveAlone: true, collectors: [], password: 'Otter' },
  };
  for (const care of [plainCare, corrected]) {
    await family.saveCare(parent, participantId, care);
    expect((await app.call(parent, careApi.getCare, { participantId })).body.care).toEqual(care);
  }
});

test('hides a participant from everyone but the guardians, even from admins', async () => {
  const parent = await app.signIn('customer');
  const participantId = await family.addChild(parent);
  for (const who of [await app.signIn('customer', 'coach', 'admin'), await app.signIn('customer')]) {
    expect((await app.call(who, participantsApi.get, { participantId })).status).toBe(404);
    expect((await app.call(who, participantsApi.update, { participantId, knownAs: 'X' })).status).toBe(404);
    expect((await app.call(who, participantsApi.list, {})).body.participants).toHaveLength(1);
    expect((await app.call(who, participantsApi.get, { participantId: parent.userId })).status).toBe(404);
  }
  expect((await app.call(null, participantsApi.get, { participantId })).status).toBe(401);
});
