import { z } from 'zod';
import { type DocumentKind, documentKind } from '../settings/verification-policy.ts';
import type { PlainDate } from '../time.ts';
import { type CheckLevel, type CheckMethod, type CheckScheme, schemeNames } from './documents.ts';

export const badge = z
  .object({
    kind: documentKind,
    label: z.string().meta({ examples: ['Enhanced DBS seen · June 2026'] }),
    checked: z
      .string()
      .describe('What was checked, when and by whom.')
      .meta({ examples: ['Example Sports checked an Enhanced DBS certificate in June 2026.'] }),
    how: z.string().meta({ examples: ['The original was seen in person.'] }),
    limits: z
      .string()
      .describe('What the badge does not mean.')
      .meta({
        examples: ["It shows that the coach took a course. It says nothing about the coach's record."],
      }),
  })
  .meta({
    id: 'Badge',
    description: 'What the club has checked about a coach. Contains no numbers or files.',
  });
export type Badge = z.output<typeof badge>;

/** The facts about an accepted document that its badge may show. */
export type BadgeFacts = {
  kind: DocumentKind;
  scheme: CheckScheme | null;
  level: CheckLevel | null;
  method: CheckMethod;
  /** The London day on which an admin accepted the document. */
  checkedOn: PlainDate;
  endsOn: PlainDate;
};

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const monthOf = (date: PlainDate) => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
const shortMonthOf = (date: PlainDate) => `${date.slice(5, 7)}/${date.slice(0, 4)}`;

const hows: Record<CheckMethod, string> = {
  file: 'A copy that the coach uploaded was read. Nobody confirmed it with the issuer.',
  original_in_person: 'The original was seen in person.',
  original_by_video: 'The original was seen in a video call.',
  update_service: "The status was checked online with the DBS Update Service, with the coach's consent.",
  governing_body: 'The governing body confirmed it.',
};

/** The public name of a check. Of the level, it says only whether the check is enhanced. */
function nameCheck(scheme: CheckScheme, level: CheckLevel): string {
  if (scheme === 'pvg') return 'PVG membership';
  return level.startsWith('enhanced') ? `Enhanced ${schemeNames[scheme]}` : schemeNames[scheme];
}

const titles: Record<Exclude<DocumentKind, 'criminal_record_check'>, string> = {
  safeguarding: 'Safeguarding training',
  insurance: 'Public liability insurance',
  first_aid: 'First aid training',
  licence: 'Governing-body licence',
};

const limitsOf: Record<DocumentKind, string> = {
  criminal_record_check:
    "A check shows what was on record on the day it was made. Certificates don't expire, and later events aren't on them. It isn't a recommendation, and it doesn't replace your own judgement.",
  safeguarding: "It shows that the coach took a course. It says nothing about the coach's record.",
  insurance: "It shows that cover was in place. It doesn't say what the cover includes or pays for.",
  first_aid: "It shows that the coach took a course. It doesn't mean that a first aider is at every lesson.",
  licence: "It shows that the governing body issued it. It isn't a promise about the quality of lessons.",
};

/** The badge of an accepted document; `club` is the name of the product. */
export function describeBadge(facts: BadgeFacts, club: string): Badge {
  const { kind, scheme, level, method, checkedOn, endsOn } = facts;
  const when = monthOf(checkedOn);
  const common = { kind, how: hows[method], limits: limitsOf[kind] };
  if (kind === 'criminal_record_check') {
    const name = nameCheck(scheme!, level!);
    const certificate = scheme === 'pvg' ? name : `${/^[AE]/.test(name) ? 'an' : 'a'} ${name} certificate`;
    return {
      ...common,
      label: `${name} seen · ${when}`,
      checked: `${club} checked ${certificate} in ${when}.`,
    };
  }
  return {
    ...common,
    label: `${titles[kind]} valid to ${shortMonthOf(endsOn)}`,
    checked: `${club} checked this in ${when}. It is valid to ${monthOf(endsOn)}.`,
  };
}
