import { z } from 'zod';

/** The kinds of document in a coach's trust file, in the order of every list. */
export const documentKinds = [
  'criminal_record_check',
  'safeguarding',
  'insurance',
  'first_aid',
  'licence',
] as const;
export type DocumentKind = (typeof documentKinds)[number];
export const documentKind = z.enum(documentKinds).meta({ id: 'DocumentKind' });

/** The name of each kind in the middle of a sentence. */
export const kindNames: Record<DocumentKind, string> = {
  criminal_record_check: 'criminal record check',
  safeguarding: 'safeguarding training',
  insurance: 'public liability insurance',
  first_aid: 'first aid training',
  licence: 'governing-body licence',
};

/** Who must provide a kind, with labels. A coach with a template open to anyone under 18 is a coach of under-18s. */
export const askedOfNames = {
  all: 'Every coach',
  under_18s: 'Coaches of under-18s',
  nobody: 'Nobody',
} as const;
export type AskedOf = keyof typeof askedOfNames;
export const askedOfs = Object.keys(askedOfNames) as [AskedOf, ...AskedOf[]];

/** The effect if a kind is missing or has ended, with labels. */
export const absenceEffectNames = {
  hidden: "The coach's lessons are hidden",
  badge: 'The coach has no badge for it',
} as const;
export type AbsenceEffect = keyof typeof absenceEffectNames;
export const absenceEffects = Object.keys(absenceEffectNames) as [AbsenceEffect, ...AbsenceEffect[]];

const kindPolicy = z
  .object({
    askedOf: z.enum(askedOfs, 'Choose who must provide this.'),
    effect: z
      .enum(absenceEffects, 'Choose what happens if it is missing.')
      .describe(
        "`hidden`: the coach's lessons leave the lists and can't be booked. `badge`: the coach lacks the badge. Whatever the effect, nobody under 18 can be booked with a coach who lacks a required criminal record check or safeguarding training.",
      ),
  })
  .meta({
    id: 'DocumentPolicy',
    description: 'Who must provide a kind of document, and what happens if it is missing.',
  });

/** The setting: for each kind of document, who must provide it and what happens if it is missing. */
export const verificationPolicy = z
  .object(
    Object.fromEntries(documentKinds.map((kind) => [kind, kindPolicy])) as Record<
      DocumentKind,
      typeof kindPolicy
    >,
  )
  .meta({
    id: 'VerificationPolicy',
    description: 'The checks and documents that the club requires of its coaches.',
  });
export type VerificationPolicy = z.output<typeof verificationPolicy>;

/** Whether a coach must provide a kind, given whether the coach teaches under-18s. */
export const isAsked = ({ askedOf }: VerificationPolicy[DocumentKind], teachesMinors: boolean): boolean =>
  askedOf === 'all' || (askedOf === 'under_18s' && teachesMinors);

/**
 * The kinds without which a coach can't be booked, or can't be booked for under-18s. For under-18s, the check and the
 * safeguarding training are needed whatever their effect is (`coach_clearance` in SQL). A kind that only gives a badge
 * is optional.
 */
export const listNeededKinds = (policy: VerificationPolicy, teachesMinors: boolean): DocumentKind[] =>
  documentKinds.filter(
    (kind) =>
      isAsked(policy[kind], teachesMinors) &&
      (policy[kind].effect === 'hidden' || kind === 'criminal_record_check' || kind === 'safeguarding'),
  );

/** The default of a new installation. The SQL function `verification_policy` contains a copy. */
export const defaultVerificationPolicy: VerificationPolicy = {
  criminal_record_check: { askedOf: 'under_18s', effect: 'hidden' },
  safeguarding: { askedOf: 'under_18s', effect: 'hidden' },
  insurance: { askedOf: 'all', effect: 'hidden' },
  first_aid: { askedOf: 'all', effect: 'badge' },
  licence: { askedOf: 'all', effect: 'badge' },
};
