import { describe, expect, test } from 'vitest';
import { care, careNotes, careStateOf, hasNotes, refuseCare, refuseWithoutCare } from './care.ts';

const none = { medical: 'None', allergies: 'None', medication: 'none.', access: 'None', learning: 'NONE' };
const contacts = [{ name: 'Alex Morgan', telephone: '0113 496 0000', relation: 'Mother' }];
const collection = { mayLeaveAlone: false, collectors: ['Sam Morgan'], password: null };

describe('notes', () => {
  test('need an answer to each question, and accept "None"', () => {
    expect(careNotes.safeParse(none).success).toBe(true);
    const blank = careNotes.safeParse({ ...none, allergies: '  ' });
    expect(blank.error?.issues[0]?.message).toBe('Enter allergies, or “None”.');
  });

  test('count as notes once an answer is not "None"', () => {
    expect(hasNotes({ notes: null })).toBe(false);
    expect(hasNotes({ notes: none })).toBe(false);
    expect(hasNotes({ notes: { ...none, allergies: 'Wasp stings' } })).toBe(true);
  });
});

test('requires one to three contacts, each with a name, telephone number and relation [PART-2]', () => {
  const parse = (list: object[]) => care.safeParse({ notes: null, contacts: list, collection }).success;
  expect(parse(contacts)).toBe(true);
  expect(parse([...contacts, ...contacts, ...contacts])).toBe(true);
  expect(parse([])).toBe(false);
  expect(parse([...contacts, ...contacts, ...contacts, ...contacts])).toBe(false);
  expect(parse([{ ...contacts[0], telephone: 'ask Sam' }])).toBe(false);
  for (const field of ['name', 'telephone', 'relation']) {
    expect(parse([{ ...contacts[0], [field]: undefined }]), field).toBe(false);
  }
});

test('requires a collector for dependants who may not leave alone [PART-2]', () => {
  const parse = (given: object) => care.safeParse({ notes: null, contacts, collection: given });
  expect(parse({ ...collection, collectors: [] }).error?.issues[0]?.path).toEqual([
    'collection',
    'collectors',
  ]);
  expect(parse({ ...collection, mayLeaveAlone: true, collectors: [] }).success).toBe(true);
  expect(refuseCare('dependant', { collection: null })?.fields).toHaveProperty('collection');
  expect(refuseCare('self', { collection: null })).toBeNull();
});

describe('care details', () => {
  const now = Date.parse('2027-02-28T12:00:00Z');
  const mia = { kind: 'dependant' as const, name: 'Mia', careConfirmedAt: '2026-08-28T09:00:00Z' };

  test('are due after 6 months, to the day in London [PART-3c]', () => {
    expect(careStateOf(null, now)).toBe('missing');
    expect(careStateOf('2026-08-28T09:00:00Z', now)).toBe('confirmed');
    // In London, it was already the 28th.
    expect(careStateOf('2026-08-27T23:30:00Z', now)).toBe('confirmed');
    expect(careStateOf('2026-08-27T22:30:00Z', now)).toBe('due');
    expect(careStateOf('2026-08-31T09:00:00Z', Date.parse('2027-03-01T00:00:00Z'))).toBe('due');
  });

  test('must be up to date for dependants only', () => {
    expect(refuseWithoutCare(mia, now)).toBeNull();
    const missing = { ...mia, careConfirmedAt: null };
    expect(refuseWithoutCare(missing, now)?.code).toBe('care_needed');
    expect(refuseWithoutCare({ ...mia, careConfirmedAt: '2026-08-01T09:00:00Z' }, now)?.message).toContain(
      "You last confirmed Mia's care details more than 6 months ago.",
    );
    expect(refuseWithoutCare({ ...missing, kind: 'self' }, now)).toBeNull();
  });
});
