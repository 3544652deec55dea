import { sql } from 'kysely';
import { z } from 'zod';
import type {
  Business,
  CoachChoice,
  CoachProfile,
  PublicCoach,
  TeamMember,
} from '#domain/businesses/contract.ts';
import type { OpenInvitation } from '#domain/businesses/invitations-contract.ts';
import { type BusinessRole, isCoachAddress } from '#domain/businesses/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Sport } from '#domain/sports.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { listPublicPictures } from '#server/storage/queries.ts';
import { coachPublicName } from './coach-public-name.ts';

/** The coach's business and the coach's role in it; both null without a business. Only owners get the tax ID. */
export async function findBusiness(
  db: Database | Tx,
  userId: string,
): Promise<{ business: Business | null; businessRole: BusinessRole | null }> {
  const found = await db
    .selectFrom('coaches')
    .innerJoin('coachingBusinesses as business', 'business.businessId', 'coaches.businessId')
    .innerJoin('profiles as owner', 'owner.userId', 'business.ownerUserId')
    .select([
      'business.businessId',
      'business.businessName',
      'business.businessEmail',
      'business.businessPhone',
      'business.businessAddress',
      'business.taxId',
      'owner.fullName as ownerName',
      'coaches.businessRole',
    ])
    .where('coaches.coachId', '=', userId)
    .executeTakeFirst();
  if (!found) return { business: null, businessRole: null };
  const { businessRole, ...business } = found;
  return { business: { ...business, taxId: businessRole === 'owner' ? business.taxId : null }, businessRole };
}

/** A coach's public details; throws `not_found` for a person who has never been a coach. */
export async function getCoachProfile(db: Database | Tx, coachId: string): Promise<CoachProfile> {
  const found = await db
    .selectFrom('coaches')
    .select(['coachType', 'bio', 'sports', 'towns', 'languages', 'hourlyRateCents'])
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Coach not found.');
  return { ...found, sports: found.sports as Sport[] };
}

/** The last segment of the URL of a coach's page; null for an account that has been deleted. */
export async function findCoachAddress(db: Database, coachId: string): Promise<string | null> {
  const found = await db
    .selectFrom('profiles')
    .select('coachAddress')
    .where('userId', '=', coachId)
    .executeTakeFirst();
  return found?.coachAddress ?? null;
}

/**
 * A coach's public details; null for unknown addresses, former coaches and coaches who are hidden because a document is
 * missing. `address` is an address that the coach has or had, or the coach's id, in lower case.
 */
export async function findPublicCoach(db: Database, address: string): Promise<PublicCoach | null> {
  const isId = z.uuid().safeParse(address).success;
  if (!isId && !isCoachAddress(address)) return null;
  const found = await db
    .selectFrom('coaches')
    .innerJoin('profiles', 'profiles.userId', 'coaches.coachId')
    .leftJoin('coachingBusinesses as business', 'business.businessId', 'coaches.businessId')
    .select([
      'coaches.coachId',
      'profiles.coachAddress',
      coachPublicName('profiles').as('fullName'),
      'business.businessName',
      'coachType',
      'bio',
      'sports',
      'towns',
      'languages',
      'hourlyRateCents',
    ])
    .where('coaches.coachId', '=', (eb) =>
      isId
        ? eb.val(address)
        : eb.selectFrom('coachAddresses').select('coachAddresses.coachId').where('address', '=', address),
    )
    .where('coaches.isActive', '=', true)
    .where('coaches.isListed', '=', true)
    .executeTakeFirst();
  if (!found) return null;
  return { ...found, sports: found.sports as Sport[], ...(await listPublicPictures(db, found.coachId)) };
}

const selectActiveCoaches = (db: Database) =>
  db
    .selectFrom('coaches')
    .innerJoin('profiles', 'profiles.userId', 'coaches.coachId')
    .select(['coaches.coachId', coachPublicName('profiles').as('fullName'), 'coaches.towns'])
    .where('coaches.isActive', '=', true)
    .where('coaches.isListed', '=', true);

/** Active, listed coaches whose name contains `search`, in order of name, at most 8. */
export function searchCoaches(db: Database, search: string): Promise<CoachChoice[]> {
  return selectActiveCoaches(db)
    .where(coachPublicName('profiles'), 'ilike', `%${search.replace(/[\\%_]/g, '\\$&')}%`)
    .orderBy('fullName')
    .orderBy('coaches.coachId')
    .limit(8)
    .execute();
}

/** An active, listed coach; throws `not_found` for anyone else. */
export async function getCoach(db: Database, coachId: string): Promise<CoachChoice> {
  const found = await selectActiveCoaches(db).where('coaches.coachId', '=', coachId).executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Coach not found.');
  return found;
}

/** The addresses of active, listed coaches' pages, newest coaches first, at most `limit`. */
export function listPublicCoachAddresses(db: Database, limit: number) {
  return db
    .selectFrom('coaches')
    .innerJoin('profiles', 'profiles.userId', 'coaches.coachId')
    .select(['coaches.coachId', 'profiles.coachAddress'])
    .where('coaches.isActive', '=', true)
    .where('coaches.isListed', '=', true)
    .orderBy('coaches.createdAt', 'desc')
    .orderBy('coaches.coachId')
    .limit(limit)
    .execute();
}

/** All members of a business: owners first, then in the order in which they became coaches. */
export function listMembers(db: Database | Tx, businessId: string): Promise<TeamMember[]> {
  return db
    .selectFrom('coaches')
    .innerJoin('profiles', 'profiles.userId', 'coaches.coachId')
    .select([
      'coaches.coachId',
      'profiles.fullName',
      'profiles.email',
      'coaches.businessRole',
      'coaches.isActive',
      'coaches.isWelfareOfficer',
    ])
    .where('coaches.businessId', '=', businessId)
    .orderBy(sql`business_role = 'owner'`, 'desc')
    .orderBy('coaches.createdAt')
    .orderBy('coaches.coachId')
    .execute();
}

export const invitationColumns = [
  'businessInvitations.invitationId',
  'businessInvitations.email',
  'businessInvitations.expiresAt',
  sql<boolean>`business_invitations.expires_at <= now()`.as('isExpired'),
] as const;

/** Pending invitations of a business, including expired invitations, oldest first. */
export function listInvitations(db: Database | Tx, businessId: string): Promise<OpenInvitation[]> {
  return db
    .selectFrom('businessInvitations')
    .select(invitationColumns)
    .where('businessId', '=', businessId)
    .where('status', '=', 'pending')
    .orderBy('createdAt')
    .orderBy('invitationId')
    .execute();
}

/** The coach's team, with its open invitations if the coach is an owner; null if the coach has no business. */
export async function findTeam(db: Database, userId: string) {
  const { business, businessRole } = await findBusiness(db, userId);
  if (!business) return null;
  const { businessId, businessName } = business;
  const [members, invitations] = await Promise.all([
    listMembers(db, businessId),
    businessRole === 'owner' ? listInvitations(db, businessId) : [],
  ]);
  return { businessId, businessName, members, invitations };
}
