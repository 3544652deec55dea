import { z } from 'zod';
import { businessName, cents, emailAddress, instant, personName, sport, town } from '../fields.ts';
import type { Picture } from '../storage/contract.ts';
import { businessRoles } from './rules.ts';

export const business = z
  .object({
    businessId: z.uuid(),
    businessName,
    businessEmail: emailAddress.nullable(),
    businessPhone: z
      .string()
      .meta({ examples: ['0113 496 0000'] })
      .nullable(),
    businessAddress: z
      .string()
      .meta({ examples: ['1 Park Row, Leeds LS1 5AB'] })
      .nullable(),
    taxId: z
      .string()
      .meta({ examples: ['GB123456789'] })
      .nullable()
      .describe('Null for employees, and if none is saved.'),
    ownerName: personName,
  })
  .meta({ id: 'Business', description: 'A coaching business as its team sees it.' });
export type Business = z.output<typeof business>;

export const coachProfile = z
  .object({
    coachType: z
      .string()
      .meta({ examples: ['Tennis coach'] })
      .nullable(),
    bio: z
      .string()
      .meta({ examples: ['Coaching juniors since 2015.'] })
      .nullable(),
    sports: z.array(sport),
    towns: z.array(town),
    languages: z.array(z.string().meta({ examples: ['English'] })),
    hourlyRateCents: cents.nullable(),
  })
  .meta({
    id: 'CoachProfile',
    description: "A coach's details as customers see them; the rate is in minor units (pence) per hour.",
  });
export type CoachProfile = z.output<typeof coachProfile>;

/** A coach's public details: profile, business name and pictures, but no contact details. */
export type PublicCoach = CoachProfile & {
  coachId: string;
  coachAddress: string | null;
  fullName: string;
  businessName: string | null;
  avatar: Picture | null;
  gallery: readonly Picture[];
};

export const coachChoice = z.object({ coachId: z.uuid(), fullName: personName, towns: z.array(town) }).meta({
  id: 'CoachChoice',
  description: 'A coach in a list to choose from; `towns` distinguishes coaches of the same name.',
});
export type CoachChoice = z.output<typeof coachChoice>;

export const businessRole = z.enum(businessRoles, 'Choose owner or employee.').meta({ id: 'BusinessRole' });

export const teamMember = z
  .object({
    coachId: z.uuid(),
    fullName: personName,
    email: emailAddress,
    businessRole,
    isActive: z.boolean(),
    isWelfareOfficer: z
      .boolean()
      .describe("Whether the person can open the registers of the team's lessons, as owners can."),
  })
  .meta({
    id: 'TeamMember',
    description: 'A member of a team; `isActive` is true if the person is currently a coach.',
  });
export type TeamMember = z.output<typeof teamMember>;

export const openInvitation = z
  .object({
    invitationId: z.uuid(),
    email: emailAddress,
    expiresAt: instant,
    isExpired: z.boolean(),
  })
  .meta({
    id: 'OpenInvitation',
    description: 'An invitation that has been neither answered nor withdrawn; it may have expired.',
  });
export type OpenInvitation = z.output<typeof openInvitation>;
