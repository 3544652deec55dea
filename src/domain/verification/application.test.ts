import { expect, test } from 'vitest';
import { defaultSettings } from '../settings/contract.ts';
import { listMissing, listMissingDocuments, refuseDecide, refuseEdit } from './application.ts';

const complete = {
  ...{ headline: 'Coach', bio: 'Me', experience: 'Six years', coachesJuniors: false, hasAcceptedTerms: true },
  ...{ sports: ['tennis' as const], nations: ['england' as const] },
};

test('names each field that is missing', () => {
  expect(listMissing(complete)).toEqual({});
  expect(Object.keys(listMissing({ ...complete, bio: null, coachesJuniors: null }))).toEqual([
    ...['bio', 'coachesJuniors'],
  ]);
});

test('names the documents that the policy requires of this coach', () => {
  const policy = defaultSettings.verificationPolicy;
  expect(listMissingDocuments(policy, { coachesJuniors: false, accepted: [] })).toEqual([
    ...['No public liability insurance', 'No first aid training', 'No governing-body licence'],
  ]);
  expect(
    listMissingDocuments(policy, { coachesJuniors: true, accepted: ['insurance', 'first_aid', 'licence'] }),
  ).toEqual([...['No criminal record check', 'No safeguarding training']]);
});

test('refuses edits and decisions that come too late', () => {
  expect(refuseEdit('draft')).toBeNull();
  expect(refuseEdit('submitted')?.code).toBe('conflict');
  const at = '2026-11-23T10:00:00Z';
  const by = 'Jo Smith';
  expect(refuseDecide({ status: 'submitted', submittedAt: at, by: null }, at)).toBeNull();
  expect(
    refuseDecide({ status: 'submitted', submittedAt: at, by: null }, '2026-11-23T09:00:00Z')?.message,
  ).toContain('submitted again');
  expect(refuseDecide({ status: 'declined', submittedAt: at, by }, at)?.message).toBe(
    'Jo Smith has already declined this application.',
  );
  expect(refuseDecide({ status: 'withdrawn', submittedAt: at, by: null }, at)?.message).toContain(
    'withdrawn',
  );
});
