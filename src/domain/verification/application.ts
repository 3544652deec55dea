import { z } from 'zod';
import { nations } from '../catalogue/nations.ts';
import type { Refusal } from '../errors.ts';
import { emailAddress, instant, personName, sport } from '../fields.ts';
import {
  documentKinds,
  isAsked,
  kindNames,
  type VerificationPolicy,
} from '../settings/verification-policy.ts';
import { oneLine, someLines } from '../text.ts';

/** Labels for the statuses of an application. */
export const applicationStatuses = {
  draft: 'Draft',
  submitted: 'Submitted',
  changes: 'Changes needed',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
} as const;
export type ApplicationStatus = keyof typeof applicationStatuses;
const applicationStatus = z.enum(
  Object.keys(applicationStatuses) as [ApplicationStatus, ...ApplicationStatus[]],
);

/**
 * Days after which the cleanup job deletes a declined or withdrawn application, or a draft that nobody has
 * changed.
 */
export const applicationRetentionDays = 180;

const typed = (text: ReturnType<typeof oneLine>, max: number, message: string, example: string) =>
  text
    .max(max, message)
    .meta({ examples: [example] })
    .transform((value) => value || null)
    .nullable()
    .default(null);

/** An application as the applicant enters it. In a draft, any field may be missing. */
export const enteredApplication = {
  headline: typed(
    oneLine(),
    100,
    "The headline can't be longer than 100 characters.",
    'Tennis coach for beginners',
  ).describe("What customers read below the coach's name."),
  bio: typed(
    someLines(),
    4000,
    "The text about you can't be longer than 4,000 characters.",
    'I coach in small groups.',
  ).describe('What the coach writes about themselves, for customers.'),
  sports: z
    .array(sport)
    .max(18, 'Choose each sport once.')
    .transform((list) => [...new Set(list)])
    .default([]),
  nations: z
    .array(z.enum(nations))
    .max(4, 'Choose each nation once.')
    .transform((list) => [...new Set(list)])
    .default([])
    .describe('Where the lessons will be held.'),
  experience: typed(
    someLines(),
    4000,
    "The text about your experience can't be longer than 4,000 characters.",
    'Six years at a club in Leeds; LTA level 3.',
  ).describe('Experience and qualifications, which only admins read.'),
  coachesJuniors: z
    .boolean()
    .nullable()
    .default(null)
    .describe('Whether the coach will teach people under 18; null if not answered yet.'),
  hasAcceptedTerms: z.boolean().default(false).describe('Whether the person accepts the terms.'),
};
const draft = z.object(enteredApplication);
/** What a person enters in an application. */
export type ApplicationDraft = z.output<typeof draft>;

export const ownApplication = z
  .object({
    applicationId: z.uuid(),
    status: applicationStatus,
    headline: z
      .string()
      .nullable()
      .meta({ examples: ['Tennis coach for beginners'] }),
    bio: z
      .string()
      .nullable()
      .meta({ examples: ['I coach in small groups.'] }),
    sports: z.array(sport),
    nations: z.array(z.enum(nations)),
    experience: z
      .string()
      .nullable()
      .meta({ examples: ['Six years at a club in Leeds.'] }),
    coachesJuniors: z.boolean().nullable(),
    hasAcceptedTerms: z.boolean(),
    decisionMessage: z
      .string()
      .nullable()
      .describe('What the admin wrote with the latest decision.')
      .meta({ examples: ['Please say where you have coached.'] }),
    submittedAt: instant.nullable(),
    decidedAt: instant.nullable(),
    updatedAt: instant,
  })
  .meta({ id: 'OwnCoachApplication', description: "The caller's application for the coach role." });
export type OwnApplication = z.output<typeof ownApplication>;

export const coachApplication = z
  .object({
    ...ownApplication.shape,
    userId: z.uuid(),
    fullName: personName,
    email: emailAddress,
    missing: z
      .array(z.string().meta({ examples: ['No profile picture'] }))
      .describe('What is missing that an admin may want to see before approving.'),
    businessNames: z
      .array(z.string().meta({ examples: ['Leeds Tennis School'] }))
      .describe('Businesses with an open invitation to this person.'),
    decidedBy: personName
      .nullable()
      .describe('Null if the coach joined at once, or if the person withdrew the application.'),
  })
  .meta({ id: 'CoachApplication', description: 'An application for the coach role, for admins.' });
export type CoachApplication = z.output<typeof coachApplication>;

/** Messages for the fields that an application still needs before it can be submitted, in the form's order. */
export function listMissing(entered: ApplicationDraft): Partial<Record<keyof ApplicationDraft, string>> {
  return {
    ...(!entered.headline && { headline: 'Enter a headline, such as “Tennis coach for beginners”.' }),
    ...(!entered.bio && { bio: 'Write a few sentences about yourself.' }),
    ...(entered.sports.length === 0 && { sports: 'Choose at least one sport.' }),
    ...(entered.nations.length === 0 && { nations: 'Choose where you will coach.' }),
    ...(!entered.experience && { experience: 'Describe your experience and qualifications.' }),
    ...(entered.coachesJuniors === null && {
      coachesJuniors: 'Say whether you will coach people under 18.',
    }),
    ...(!entered.hasAcceptedTerms && {
      hasAcceptedTerms: 'Accept the terms before you submit your application.',
    }),
  };
}

/**
 * The documents that the policy requires of this coach and that no admin has accepted yet, as phrases for
 * admins.
 */
export function listMissingDocuments(
  policy: VerificationPolicy,
  { coachesJuniors, accepted }: { coachesJuniors: boolean | null; accepted: readonly string[] },
): string[] {
  return documentKinds
    .filter((kind) => isAsked(policy[kind], coachesJuniors === true))
    .filter((kind) => !accepted.includes(kind))
    .map((kind) => `No ${kindNames[kind]}`);
}

/** Refuses to edit an application that waits for a decision. */
export function refuseEdit(status: ApplicationStatus): Refusal {
  return status === 'submitted'
    ? {
        code: 'conflict',
        message: 'Your application is with us. Withdraw it if you want to change it.',
      }
    : null;
}

/**
 * An admin can decide on a waiting application only in the version that the admin read. `by` is the name
 * of the admin who has already decided; null if nobody has.
 */
export function refuseDecide(
  application: { status: ApplicationStatus; submittedAt: string | null; by: string | null },
  readSubmittedAt: string,
): Refusal {
  const { status, submittedAt, by } = application;
  const decided: Partial<Record<ApplicationStatus, string>> = {
    approved: 'has already approved this application.',
    declined: 'has already declined this application.',
    changes: 'has already asked for changes.',
  };
  const conflict = (message: string): Refusal => ({ code: 'conflict', message });
  if (status === 'withdrawn' || status === 'draft') {
    return conflict('The person has withdrawn this application.');
  }
  if (decided[status]) return conflict(`${by ?? 'Another admin'} ${decided[status]}`);
  return Date.parse(submittedAt ?? '') === Date.parse(readSubmittedAt)
    ? null
    : conflict('This application was changed and submitted again. Reload the page to read it.');
}
