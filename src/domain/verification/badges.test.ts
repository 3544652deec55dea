import { expect, test } from 'vitest';
import { type BadgeFacts, describeBadge } from './badges.ts';

const facts: BadgeFacts = {
  ...{ kind: 'criminal_record_check', scheme: 'dbs', level: 'enhanced_barred', method: 'original_in_person' },
  ...{ checkedOn: '2026-06-15', endsOn: '2029-06-01' },
};

test('names an enhanced check, when it was seen and by which club, and nothing else', () => {
  const badge = describeBadge(facts, 'Hill Sports');
  expect(badge.label).toBe('Enhanced DBS seen · June 2026');
  expect(badge.checked).toBe('Hill Sports checked an Enhanced DBS certificate in June 2026.');
  expect(badge.how).toBe('The original was seen in person.');
  expect(badge.limits).toContain("isn't a recommendation");
  expect(JSON.stringify(badge)).not.toMatch(/barred|2029/);
});

test('names other checks and documents', () => {
  const labelOf = (change: Partial<BadgeFacts>) =>
    describeBadge({ ...facts, ...change }, 'Hill Sports').label;
  expect(labelOf({ scheme: 'pvg', level: 'pvg' })).toBe('PVG membership seen · June 2026');
  expect(labelOf({ scheme: 'access_ni' })).toBe('Enhanced AccessNI seen · June 2026');
  expect(labelOf({ level: 'basic' })).toBe('DBS seen · June 2026');
  const insurance = {
    kind: 'insurance',
    scheme: null,
    level: null,
    method: 'file',
    endsOn: '2027-03-31',
  } as const;
  expect(labelOf(insurance)).toBe('Public liability insurance valid to 03/2027');
  expect(labelOf({ ...insurance, kind: 'first_aid' })).toBe('First aid training valid to 03/2027');
});
