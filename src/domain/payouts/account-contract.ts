import { z } from 'zod';
import { roles } from '../access.ts';
import { bookingStatuses } from '../bookings/rules.ts';
import { location } from '../catalogue/contract.ts';
import { endpoint } from '../endpoint.ts';
import { bankDetails } from './contract.ts';

const cents = z.number().int();
const instant = z.string();
const nullable = z.string().nullable();

/** Everything the product keeps of a person, in the words of its own tables; other people's records are left out. */
export const ownData = z.object({
  madeAt: instant,
  account: z.object({
    userId: z.uuid(),
    email: z.string(),
    /** The address that waits to be confirmed. */
    newEmail: nullable,
    fullName: z.string(),
    roles: z.array(z.enum(roles)),
    createdAt: instant,
    emailConfirmedAt: instant.nullable(),
    lastSignInAt: instant.nullable(),
    isTwoStepSignInOn: z.boolean(),
    savedCard: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  }),
  sessions: z.array(
    z.object({
      device: z.string(),
      userAgent: nullable,
      ipAddress: nullable,
      signedInAt: instant,
      lastSeenAt: instant,
      endedAt: instant.nullable(),
    }),
  ),
  bookings: z.array(
    z.object({
      bookingId: z.uuid(),
      status: z.enum(bookingStatuses),
      /** The lesson as it was sold, at the time and location last announced. */
      title: z.string(),
      description: z.string(),
      sport: z.string(),
      coachName: z.string(),
      startTime: instant,
      endTime: instant,
      place: nullable,
      /** What the coach has changed since: content, and the time and location it was bought at. */
      changedTo: z.object({ title: z.string(), description: z.string(), sport: z.string() }).nullable(),
      movedFrom: instant.nullable(),
      relocatedFrom: location.nullable(),
      amountCents: cents,
      createdAt: instant,
      cancelledAt: instant.nullable(),
      attended: z.boolean().nullable(),
      cardBrand: nullable,
      cardLastFour: nullable,
      refundCents: cents.nullable(),
      refundStatus: nullable,
    }),
  ),
  /** Null for somebody who never was a coach. */
  coach: z
    .object({
      coachType: nullable,
      bio: nullable,
      hourlyRateCents: cents.nullable(),
      sports: z.array(z.string()),
      towns: z.array(z.string()),
      languages: z.array(z.string()),
      isActive: z.boolean(),
      createdAt: instant,
      business: z
        .object({
          businessName: z.string(),
          businessRole: z.string(),
          businessEmail: nullable,
          businessPhone: nullable,
          businessAddress: nullable,
          taxId: nullable,
        })
        .nullable(),
      bankDetails: bankDetails.nullable(),
      locations: z.array(
        z.object({ name: z.string(), address: z.string(), city: z.string(), postcode: z.string() }),
      ),
      templates: z.array(
        z.object({
          title: z.string(),
          description: z.string(),
          sport: z.string(),
          durationMinutes: z.number().int(),
          basePriceCents: cents,
          createdAt: instant,
        }),
      ),
      lessons: z.array(
        z.object({
          title: z.string(),
          startTime: instant,
          endTime: instant,
          status: z.string(),
          priceCents: cents,
          bookedCount: z.number().int(),
          maxCapacity: z.number().int(),
        }),
      ),
      /** The ledger of their lessons: what was charged, kept, refunded and paid out. */
      ledger: z.array(
        z.object({ bookingId: z.uuid(), kind: z.string(), amountCents: cents, createdAt: instant }),
      ),
    })
    .nullable(),
  teamInvitations: z.array(
    z.object({ businessName: z.string(), status: z.string(), createdAt: instant, expiresAt: instant }),
  ),
  /** What was done by the person or to them; what it was before and after only where it is about them. */
  auditLog: z.array(
    z.object({
      at: instant,
      action: z.string(),
      isOwnDeed: z.boolean(),
      subjectType: z.string(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  ),
});
export type OwnData = z.output<typeof ownData>;

export const ownAccountApi = {
  getOwnData: endpoint({
    method: 'GET',
    path: '/api/account/data',
    operationId: 'get_own_data',
    gate: 'signedIn',
    input: z.object({}),
    output: ownData,
    summary: 'Everything that is kept of the signed-in person.',
  }),
  getDeletion: endpoint({
    method: 'GET',
    path: '/api/account/deletion',
    operationId: 'get_deletion',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({
      /** A sentence for each thing to be settled first. */
      hurdles: z.array(z.string()),
    }),
    summary: 'What keeps the signed-in person from deleting the account; empty where nothing does.',
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/api/account/deletion',
    operationId: 'delete_account',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({}),
    summary:
      'Deletes the account for good. Needs the password to have been given lately; `conflict` while lessons or money are open.',
  }),
};
