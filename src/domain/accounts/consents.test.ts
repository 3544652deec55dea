import { expect, test } from 'vitest';
import {
  consentKinds,
  consentTexts,
  isReduced,
  isWithdrawal,
  refuseConsent,
  refuseNotesWithoutConsent,
} from './consents.ts';

const { version } = consentTexts.photos;

test("refuses another kind's choice, and an outdated text except for a withdrawal", () => {
  expect(refuseConsent({ kind: 'photos', choice: 'club', textVersion: version })).toBeNull();
  expect(refuseConsent({ kind: 'photos', choice: 'yes', textVersion: version })?.code).toBe('unprocessable');
  expect(refuseConsent({ kind: 'photos', choice: 'club', textVersion: '2020-01-1' })?.code).toBe('conflict');
  expect(refuseConsent({ kind: 'photos', choice: 'none', textVersion: '2020-01-1' })).toBeNull();
});

test('lists the refusal as the first choice of every kind', () => {
  for (const kind of consentKinds) {
    const [first, ...others] = Object.keys(consentTexts[kind].choices) as Parameters<
      typeof isWithdrawal
    >[0][];
    expect(isWithdrawal(first!), kind).toBe(true);
    expect(others.some(isWithdrawal), kind).toBe(false);
  }
});

test('detects when less is allowed than before', () => {
  expect(isReduced('photos', 'club', 'coaching')).toBe(true);
  expect(isReduced('photos', 'coaching', 'club')).toBe(false);
  expect(isReduced('first_aid', 'yes', 'no')).toBe(true);
  expect(isReduced('medical', null, 'no')).toBe(false);
});

test('requires consent to notes: the one in force, or a new one to the current text', () => {
  const current = consentTexts.medical.version;
  expect(refuseNotesWithoutConsent('yes', undefined)).toBeNull();
  expect(refuseNotesWithoutConsent(null, current)).toBeNull();
  expect(refuseNotesWithoutConsent('no', undefined)?.fields).toHaveProperty('medicalConsent');
  expect(refuseNotesWithoutConsent(null, 'older')?.code).toBe('conflict');
});
