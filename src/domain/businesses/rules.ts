import { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { enteredEmail, noEmail } from '../fields.ts';
import { sportSlugs } from '../sports.ts';
import { oneLine, someLines } from '../text.ts';

export const businessRoles = ['owner', 'employee'] as const;
export type BusinessRole = (typeof businessRoles)[number];

export const invitationStatuses = ['pending', 'accepted', 'declined', 'withdrawn'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

/** How long an invitation's link is valid, in days. */
export const invitationDays = 7;

/** Shown to members who are not owners; the specification's wording. */
export const ownersOnlyMessage = 'Only business owners can manage team members and roles.';

/** The email address to which an invitation is sent, in lower case. */
export const inviteInput = z.object({ email: enteredEmail });

const optional = (
  text: ReturnType<typeof oneLine>,
  max: number,
  { message, example }: { message: string; example: string },
) =>
  text
    .max(max, message)
    .meta({ examples: [example] })
    .transform((text) => text || null)
    .default(null);

/** A business as its owner enters it; empty fields become null. */
export const businessInput = z.object({
  businessName: oneLine('Enter a business name.')
    .min(1, 'Enter a business name.')
    .max(200, "The name can't be longer than 200 characters.")
    .meta({ examples: ['Leeds Tennis School'] }),
  businessEmail: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, noEmail)
    .refine((email) => email === '' || z.email().safeParse(email).success, noEmail)
    .meta({ examples: ['hello@tennis.example'] })
    .transform((email) => email || null)
    .default(null),
  businessPhone: z
    .string()
    .trim()
    .regex(/^$|^\+?[\d\s()-]{5,30}$/, 'Enter the phone number in digits, like 0113 496 0000.')
    .meta({ examples: ['0113 496 0000'] })
    .transform((phone) => phone || null)
    .default(null),
  businessAddress: optional(someLines(), 500, {
    message: "The address can't be longer than 500 characters.",
    example: '1 Park Row, Leeds LS1 5AB',
  }),
  taxId: optional(oneLine(), 50, {
    message: "The tax ID can't be longer than 50 characters.",
    example: 'GB123456789',
  }),
});
export type BusinessInput = z.input<typeof businessInput>;

function shortList(many: { entries: number; what: string; example: string }) {
  const tooLong = "Entries can't be longer than 60 characters.";
  return z
    .array(oneLine().meta({ examples: [many.example] }))
    .max(many.entries, `Enter at most ${many.entries} ${many.what}.`)
    .transform((list) => [...new Set(list.filter(Boolean))])
    .refine((list) => list.every((entry) => entry.length <= 60), tooLong)
    .default([]);
}

/** A coach's details that customers see; the rate is in minor units per hour. */
export const coachProfileInput = z.object({
  coachType: optional(oneLine(), 100, {
    message: "The job title can't be longer than 100 characters.",
    example: 'Tennis coach',
  }),
  bio: optional(someLines(), 4000, {
    message: "The text can't be longer than 4,000 characters.",
    example: 'Coaching juniors since 2015.',
  }),
  sports: z
    .array(z.enum(sportSlugs, 'Choose sports from the list.'))
    .max(sportSlugs.length, 'Choose each sport once.')
    .transform((chosen) => sportSlugs.filter((sport) => chosen.includes(sport)))
    .default([]),
  towns: shortList({ entries: 10, what: 'towns', example: 'Leeds' }),
  languages: shortList({ entries: 20, what: 'languages', example: 'English' }),
  hourlyRateCents: z
    .number('Enter the hourly rate in pounds, like 45 or 45.50.')
    .int('Enter the hourly rate in whole pence.')
    .min(0, "The hourly rate can't be negative.")
    .max(1_000_000, "The hourly rate can't be more than £10,000.")
    .nullable()
    .default(null),
});

/** Whether a text can be the address of a coach's page. Ids have the same form. */
export const isCoachAddress = (text: string): boolean =>
  text.length <= 80 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);

/** The details of a team member that the rules use; `isActive` is true if the person is currently a coach. */
export type Membership = { coachId: string; businessRole: BusinessRole; isActive: boolean };

/** Only an owner who is an active coach can manage the team. */
export function refuseManageTeam(me: Membership): Refusal {
  const isOwner = me.businessRole === 'owner' && me.isActive;
  return isOwner ? null : { code: 'forbidden', message: ownersOnlyMessage };
}

/** Owners manage the other members of their own team, never themselves. */
export function refuseManageMember(me: Membership, members: readonly Membership[], coachId: string): Refusal {
  const refusal = refuseManageTeam(me);
  if (refusal) return refusal;
  if (coachId === me.coachId) {
    return {
      code: 'conflict',
      message: "You can't change your own role or remove yourself. Ask another owner, or leave the team.",
    };
  }
  if (members.some((member) => member.coachId === coachId)) return null;
  return { code: 'not_found', message: 'This person is no longer in your team.' };
}

/** A welfare officer must be an active coach, because nobody else can open a register. */
export function refuseBecomeWelfareOfficer(member: Membership): Refusal {
  if (member.isActive) return null;
  return { code: 'conflict', message: 'Only someone who is currently a coach can be a welfare officer.' };
}

/** An owner must be an active coach: someone without the coach role could not manage the team. */
export function refuseBecomeOwner(member: Membership): Refusal {
  if (member.isActive) return null;
  return { code: 'conflict', message: 'Only someone who is currently a coach can be an owner.' };
}

/**
 * Decides what happens to the business when a member leaves: it `stays` if they are an employee, `transfers` to the
 * first other owner in `members` who is an active coach, or `ends` if there is no such owner.
 */
export function planDeparture<M extends Membership>(
  me: Membership,
  members: readonly M[],
): { outcome: 'stays' } | { outcome: 'transfers'; successor: M } | { outcome: 'ends' } {
  if (me.businessRole === 'employee') return { outcome: 'stays' };
  const successor = members.find(
    (member) => member.coachId !== me.coachId && refuseManageTeam(member) === null,
  );
  return successor ? { outcome: 'transfers', successor } : { outcome: 'ends' };
}

/** The details of an invitation that the rules use; the database's clock decides `isExpired`. */
export type InvitationState = { email: string; status: InvitationStatus; isExpired: boolean };

const closedMessages: Record<Exclude<InvitationStatus, 'pending'>, string> = {
  accepted: 'This invitation has already been accepted.',
  declined: 'This invitation was declined. Ask for a new one if that was a mistake.',
  withdrawn: 'This invitation was withdrawn. Ask the business for a new one if that was a mistake.',
};

/**
 * Why this person cannot accept or decline the invitation; null if they can. A `person` of null is a signed-out
 * visitor.
 */
export function refuseAnswer(invitation: InvitationState, person: { email: string } | null): Refusal {
  if (invitation.status !== 'pending')
    return { code: 'conflict', message: closedMessages[invitation.status] };
  if (invitation.isExpired) {
    return { code: 'conflict', message: 'This invitation has expired. Ask the business to send it again.' };
  }
  if (!person) return { code: 'unauthenticated', message: 'Please sign in to respond to this invitation.' };
  if (person.email === invitation.email) return null;
  return {
    code: 'forbidden',
    message:
      'This invitation was sent to another email address. Sign in with that address, or ask the business to send a new invitation to your own.',
  };
}

/** Only a coach without a business can join a team. */
export function refuseJoin(coach: { isActive: boolean; businessId: string | null } | undefined): Refusal {
  if (!coach?.isActive) {
    return {
      code: 'forbidden',
      message:
        'Only coaches can join a team. Apply to become a coach first. Your invitation stays open until it expires.',
    };
  }
  if (coach.businessId === null) return null;
  return {
    code: 'conflict',
    message: "You're already in a business's team. Leave it first, then open this invitation again.",
  };
}
