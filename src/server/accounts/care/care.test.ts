import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Care, noteNames } from '#domain/accounts/care.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { findTables } from '#server/account/find-text.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { newMarker, openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const family = openFamily(app);
const textVersion = consentTexts.medical.version;

const readCare = async (who: Someone, participantId: string) =>
  (await app.call(who, careApi.getCare, { participantId })).body;

async function withChild() {
  const parent = await app.signIn('customer');
  return { parent, participantId: await family.addChild(parent) };
}

test('encrypts stored care details and returns them to a guardian [PART-2, PART-3, PART-3a]', async () => {
  const { parent, participantId } = await withChild();
  expect(await readCare(parent, participantId)).toEqual({ care: null, confirmedAt: null, state: 'missing' });
  const marker = newMarker();
  const given: Care = {
    notes: {
      ...{ medical: `Asthma ${marker}`, allergies: `Nuts ${marker}`, medication: `Inhaler ${marker}` },
      ...{ access: `Ramp ${marker}`, learning: `Autism ${marker}` },
    },
    contacts: [
      { name: `Alex ${marker}`, telephone: '+44 113 496 0000', relation: 'Mother' },
      { name: 'Sam', telephone: '0113 496 0001', relation: 'Neighbour' },
    ],
    collection: { mayLeaveAlone: true, collectors: [`Jo ${marker}`], password: `Otter ${marker}` },
  };
  await family.saveCare(parent, participantId, given);
  expect(await readCare(parent, participantId)).toEqual({
    care: given,
    confirmedAt: expect.any(String),
    state: 'confirmed',
  });
  expect(await findTables(app.db, marker), 'nothing in plain text').toEqual([]);
  const { care: _, ...unread } = await readCare(parent, participantId);
  await app.call(parent, careApi.saveCare, { participantId, ...given, contacts: [given.contacts[1]!] });
  const audit = await app.db
    .selectFrom('auditLog')
    .select(['action', 'after'])
    .where('subjectId', '=', participantId)
    .where('action', '=', 'care.saved')
    .orderBy('auditId')
    .execute();
  expect(audit.map(({ after }) => after)).toEqual([
    { changed: ['notes', 'contacts', 'collection'] },
    { changed: ['contacts'] },
  ]);
  expect(unread.state).toBe('confirmed');
});

test('accepts "None" as an answer but refuses a blank one [PART-3b]', async () => {
  const { parent, participantId } = await withChild();
  const save = (notes: unknown) =>
    app.call(parent, careApi.saveCare, {
      ...{ ...plainCare, participantId, medicalConsent: textVersion },
      notes: notes as Care['notes'],
    });
  for (const [note, name] of Object.entries(noteNames)) {
    const blank = await save({ ...plainCare.notes, [note]: '' });
    const message = `Enter ${name.toLowerCase()}, or “None”.`;
    expect([blank.status, blank.error?.fields]).toEqual([422, { [`notes.${note}`]: message }]);
  }
  expect((await save({ medical: 'None' })).status).toBe(422);
  expect((await save(plainCare.notes)).status).toBe(200);
  const withoutNotes = await save(null);
  expect([withoutNotes.status, withoutNotes.body.care?.notes]).toEqual([200, null]);
});

test('keeps notes only with explicit consent and deletes them on withdrawal [PART-3a]', async () => {
  const { parent, participantId } = await withChild();
  const refused = await app.call(parent, careApi.saveCare, { participantId, ...plainCare });
  expect([refused.status, refused.error?.fields]).toEqual([
    422,
    { medicalConsent: 'Please agree that we may keep these notes, or remove them.' },
  ]);
  const outdated = await app.call(parent, careApi.saveCare, {
    ...{ participantId, ...plainCare, medicalConsent: '2020-01-1' },
  });
  expect([outdated.status, outdated.error?.message]).toEqual([
    409,
    'The wording has changed. Please read it again.',
  ]);
  expect((await readCare(parent, participantId)).care).toBeNull();
  await family.saveCare(parent, participantId);
  // Consent is given once, so the next save needs none.
  expect((await app.call(parent, careApi.saveCare, { participantId, ...plainCare })).status).toBe(200);

  const withdrawal = { participantId, kind: 'medical', choice: 'no', textVersion } as const;
  const { body } = await app.call(parent, careApi.giveConsent, withdrawal);
  expect(body.participant.consents.medical).toBe('no');
  expect((await readCare(parent, participantId)).care).toEqual({ ...plainCare, notes: null });
  expect((await app.call(parent, careApi.saveCare, { participantId, ...plainCare })).status).toBe(422);
});

test('keeps every consent with its version, giver and time; the newest applies [PART-4a]', async () => {
  const { parent, participantId } = await withChild();
  const { version } = consentTexts.photos;
  const give = (choice: 'none' | 'coaching' | 'club', given: string = version) =>
    app.call(parent, careApi.giveConsent, { participantId, kind: 'photos', choice, textVersion: given });
  for (const choice of ['club', 'coaching', 'coaching', 'none'] as const) {
    expect((await give(choice)).body.participant.consents.photos).toBe(choice);
  }
  expect((await give('club', '2020-01-1')).status).toBe(409);
  expect((await give('yes' as 'none')).status).toBe(422);
  const { body } = await app.call(parent, careApi.listConsents, { participantId });
  expect(body.consents).toEqual(
    ['none', 'coaching', 'club'].map((choice) => ({
      ...{ kind: 'photos', choice, textVersion: version, at: expect.any(String) },
      givenByName: expect.stringMatching(/^Person/),
    })),
  );
  for (const kind of ['first_aid', 'medical'] as const) {
    const asked = { participantId, kind, textVersion: consentTexts[kind].version };
    for (const choice of ['yes', 'no'] as const)
      await app.call(parent, careApi.giveConsent, { ...asked, choice });
    const { consents } = (await app.call(parent, careApi.listConsents, { participantId })).body;
    expect(consents.filter((one) => one.kind === kind)).toMatchObject(
      ['no', 'yes'].map((choice) => ({ choice, textVersion: asked.textVersion, at: expect.any(String) })),
    );
  }
  await expect(app.db.updateTable('consents').set({ choice: 'club' }).execute()).rejects.toThrow(
    'append-only',
  );
  await expect(app.db.deleteFrom('consents').execute()).rejects.toThrow('append-only');
});

test("marks care details as due for a guardian's confirmation after six months [PART-3c]", async () => {
  const { parent, participantId } = await withChild();
  const early = await app.call(parent, careApi.confirmCare, { participantId });
  expect([early.status, early.error?.message]).toEqual([
    409,
    'There are no care details yet. Please add them.',
  ]);
  await family.saveCare(parent, participantId);
  await sql`update participant_care set confirmed_at = now() - interval '7 months'
    where participant_id = ${participantId}::uuid`.execute(app.db);
  const { body } = await app.call(parent, participantsApi.get, { participantId });
  expect(body.participant.careState).toBe('due');
  expect((await app.call(parent, careApi.confirmCare, { participantId })).body.state).toBe('confirmed');
  expect((await readCare(parent, participantId)).care).toEqual(plainCare);
});

test('deletes care details immediately on request [PART-12b]', async () => {
  const { parent, participantId } = await withChild();
  await family.saveCare(parent, participantId);
  expect((await app.call(parent, careApi.deleteCare, { participantId })).status).toBe(200);
  expect((await readCare(parent, participantId)).care).toBeNull();
  const rows = await app.db
    .selectFrom('participantCare')
    .select('participantId')
    .where('participantId', '=', participantId)
    .execute();
  expect(rows).toEqual([]);
});

test('lets only guardians see or change care details and consents [PART-5c]', async () => {
  const { parent, participantId } = await withChild();
  await family.saveCare(parent, participantId);
  for (const who of [await app.signIn('customer', 'coach', 'admin'), await app.signIn('customer')]) {
    const statuses = await Promise.all([
      app.call(who, careApi.getCare, { participantId }),
      app.call(who, careApi.saveCare, { participantId, ...plainCare }),
      app.call(who, careApi.confirmCare, { participantId }),
      app.call(who, careApi.deleteCare, { participantId }),
      app.call(who, careApi.listCareReads, { participantId }),
      app.call(who, careApi.listConsents, { participantId }),
      app.call(who, careApi.giveConsent, { participantId, kind: 'medical', choice: 'no', textVersion }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual(Array(7).fill(404));
  }
  expect((await readCare(parent, participantId)).care).toEqual(plainCare);
});

test('requires an answer about collection for a child, but not for the account holder [PART-2]', async () => {
  const person = await app.signIn('customer');
  const participantId = person.userId;
  await family.saveCare(person, participantId, { ...plainCare, collection: null });
  expect((await readCare(person, participantId)).care).toEqual({ ...plainCare, collection: null });
  const child = await family.addChild(person);
  const refused = await app.call(person, careApi.saveCare, {
    ...{ participantId: child, ...plainCare, collection: null, medicalConsent: textVersion },
  });
  expect([refused.status, refused.error?.fields]).toEqual([
    422,
    { collection: 'Say who may collect the participant, or that the participant may leave alone.' },
  ]);
});
