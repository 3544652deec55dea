import { expect, test } from 'vitest';
import type { DocumentKind } from '../settings/verification-policy.ts';
import { type BadgeFacts, describeBadge } from './badges.ts';
import type { CheckMethod } from './documents.ts';

const facts: BadgeFacts = {
  ...{ kind: 'criminal_record_check', scheme: 'dbs', level: 'enhanced_barred', method: 'original_in_person' },
  ...{ checkedOn: '2026-06-15', endsOn: '2029-06-01' },
};
const document = { scheme: null, level: null, endsOn: '2027-03-31' } as const;
const describe = (change: Partial<BadgeFacts>) => describeBadge({ ...facts, ...change }, 'Hill Sports');

/** What the badge of each kind says besides how the document was seen. */
const textsOf: Record<DocumentKind, { label: string; checked: string; limits: string }> = {
  criminal_record_check: {
    label: 'Enhanced DBS seen · June 2026',
    checked: 'Hill Sports checked an Enhanced DBS certificate in June 2026.',
    limits:
      "A check shows what was on record on the day it was made. Certificates don't expire, and later events aren't on them. It isn't a recommendation, and it doesn't replace your own judgement.",
  },
  safeguarding: {
    label: 'Safeguarding training valid to 03/2027',
    checked: 'Hill Sports checked this in June 2026. It is valid to March 2027.',
    limits: "It shows that the coach took a course. It says nothing about the coach's record.",
  },
  insurance: {
    label: 'Public liability insurance valid to 03/2027',
    checked: 'Hill Sports checked this in June 2026. It is valid to March 2027.',
    limits: "It shows that cover was in place. It doesn't say what the cover includes or pays for.",
  },
  first_aid: {
    label: 'First aid training valid to 03/2027',
    checked: 'Hill Sports checked this in June 2026. It is valid to March 2027.',
    limits: "It shows that the coach took a course. It doesn't mean that a first aider is at every lesson.",
  },
  licence: {
    label: 'Governing-body licence valid to 03/2027',
    checked: 'Hill Sports checked this in June 2026. It is valid to March 2027.',
    limits: "It shows that the governing body issued it. It isn't a promise about the quality of lessons.",
  },
};

test('says what was checked, by whom and when, and what the badge does not mean [VERIFY-12a]', () => {
  for (const [kind, texts] of Object.entries(textsOf) as [DocumentKind, object][]) {
    const change = kind === 'criminal_record_check' ? {} : { ...document, kind };
    expect(describe(change)).toEqual({ kind, how: 'The original was seen in person.', ...texts });
  }
});

test('says how the document was seen [VERIFY-12a]', () => {
  const hows: Record<CheckMethod, string> = {
    file: 'A copy that the coach uploaded was read. Nobody confirmed it with the issuer.',
    original_in_person: 'The original was seen in person.',
    original_by_video: 'The original was seen in a video call.',
    update_service: "The status was checked online with the DBS Update Service, with the coach's consent.",
    governing_body: 'The governing body confirmed it.',
  };
  for (const [method, how] of Object.entries(hows) as [CheckMethod, string][]) {
    expect(describe({ method }).how).toBe(how);
    expect(describe({ ...document, kind: 'licence', method }).how).toBe(how);
  }
});

test('names the scheme of a check, but no level except enhanced [VERIFY-12a]', () => {
  const namesOf = (change: Partial<BadgeFacts>) => {
    const { label, checked } = describe(change);
    return [label, checked];
  };
  expect(namesOf({ scheme: 'pvg', level: 'pvg' })).toEqual([
    'PVG membership seen · June 2026',
    'Hill Sports checked PVG membership in June 2026.',
  ]);
  expect(namesOf({ scheme: 'access_ni' })).toEqual([
    'Enhanced AccessNI seen · June 2026',
    'Hill Sports checked an Enhanced AccessNI certificate in June 2026.',
  ]);
  for (const level of ['basic', 'standard'] as const) {
    expect(namesOf({ level })).toEqual([
      'DBS seen · June 2026',
      'Hill Sports checked a DBS certificate in June 2026.',
    ]);
  }
  expect(describe({ level: 'enhanced' })).toEqual(describe({ level: 'enhanced_barred' }));
});
