import { z } from 'zod';
import { roles } from '../access.ts';
import { profile } from '../accounts/contract.ts';
import { endpoint } from '../endpoint.ts';
import { isPeriod, periodError, periodFields } from '../period.ts';
import { auditKinds } from './audit-labels.ts';

/** A person as admins see them in the list of users. */
export const listedUser = profile.pick({
  userId: true,
  email: true,
  fullName: true,
  roles: true,
  createdAt: true,
});
export type ListedUser = z.output<typeof listedUser>;

/** Details of the `conflict` shown to an admin before the coach or customer role is revoked. */
export const roleObstacles = z.object({
  /** Upcoming booked lessons: as their coach, and as a customer. */
  lessonsAhead: z.number().int(),
  /** A customer's unfinished refunds, given-up ones included, in cents. */
  refundCents: z.number().int(),
  /**
   * The business that would have no owner, and the coaches in its team who can take over; it is suspended if nobody
   * can.
   */
  business: z
    .object({
      businessName: z.string(),
      successors: z.array(z.object({ coachId: z.uuid(), fullName: z.string() })),
    })
    .nullable(),
});
export type RoleObstacles = z.output<typeof roleObstacles>;

/** A person named in the audit log; `deletedAccount` if the account is deleted. */
const namedPerson = z.object({ userId: z.uuid(), fullName: z.string(), email: z.string() });

/** One event in the audit log. `before` and `after` hold what changed, as stored. */
export const auditEntry = z.object({
  auditId: z.number().int(),
  at: z.string(),
  /** Null if the system acted; `system` then names the job or command. */
  actor: namedPerson.nullable(),
  system: z.string().nullable(),
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  /** The person affected, if there is one. */
  subject: namedPerson.nullable(),
  /** A description of any other record: a lesson's title, a payrun's reference; null if it has none or is deleted. */
  subjectName: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** Most rows of an exported audit log. */
export const longestAuditFile = 5000;

const search = z.string().trim().max(100, 'Search for something shorter than 100 characters.').optional();

export const auditFilter = {
  /** Part of the name or address of the actor or the person affected, or the subject's id. */
  search,
  kind: z.enum(auditKinds).optional(),
  /** London dates, inclusive. */
  ...periodFields,
};

export const adminApi = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    operationId: 'list_users',
    gate: 'admin',
    input: z.object({
      /** Part of the name or email address. */
      search,
      role: z.enum(roles).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    output: z.object({ users: z.array(listedUser), nextCursor: z.string().nullable() }),
    summary: 'Everybody with a profile, newest first, a page at a time.',
  }),
  changeRole: endpoint({
    method: 'PUT',
    path: '/api/admin/users/:userId/roles/:role',
    operationId: 'change_role',
    gate: 'admin',
    input: z.object({
      userId: z.uuid(),
      role: z.enum(roles),
      isHeld: z.boolean(),
      /** How many upcoming booked lessons the admin saw when revoking the coach or customer role. */
      expectedLessons: z.number().int().min(0).max(1_000_000).default(0),
      /** The pending refunds, in cents, that the admin saw when revoking the customer role. */
      expectedRefundCents: z.number().int().min(0).max(1_000_000_000).default(0),
      /**
       * Who takes over the business whose only owner loses the coach role; null if the admin saw that nobody can, so
       * that it is suspended.
       */
      successorId: z.uuid().nullable().optional(),
    }),
    output: z.object({ user: listedUser }),
    reauthenticate: ({ role }) => role === 'admin',
    summary:
      'Gives or takes a role. A coach with more booked lessons ahead than expected, or the only owner of a business without a successor named, keeps the role, and so does a customer with more lessons or refunds under way: `conflict` with `lessonsAhead`, `refundCents` and `business`.',
  }),
  endSessionsOf: endpoint({
    method: 'DELETE',
    path: '/api/admin/users/:userId/sessions',
    operationId: 'end_sessions_of',
    gate: 'admin',
    reauthenticate: true,
    input: z.object({ userId: z.uuid() }),
    /** How many browsers the person was signed out of. */
    output: z.object({ ended: z.number().int() }),
    summary: 'Signs another person out of every browser, at once; the person is emailed.',
  }),
  listAudit: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    operationId: 'list_audit',
    gate: 'admin',
    input: z
      .object({
        ...auditFilter,
        /** The last entry of the previous page. */
        cursor: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(25),
      })
      .refine(isPeriod, periodError),
    output: z.object({ entries: z.array(auditEntry), nextCursor: z.number().int().nullable() }),
    summary: 'Who did what, when, and what it was before and after; newest first, a page at a time.',
  }),
  // Not a GET, since each export is noted in the log.
  exportAudit: endpoint({
    method: 'POST',
    path: '/api/admin/audit-log-file',
    operationId: 'export_audit',
    gate: 'admin',
    // The file holds names and email addresses of years.
    reauthenticate: true,
    input: z.object(auditFilter).refine(isPeriod, periodError),
    output: z.object({
      fileName: z.string(),
      csv: z.string(),
      entryCount: z.number().int(),
      /** Whether there are more matches than the file has room for. */
      isCut: z.boolean(),
    }),
    summary: `The newest ${longestAuditFile} entries of the audit log that match, as CSV with London times.`,
  }),
  getOverview: endpoint({
    method: 'GET',
    path: '/api/admin/overview',
    operationId: 'get_overview',
    gate: 'admin',
    input: z.object({}),
    output: z.object({
      /** The last 30 London days, oldest first, today last. */
      days: z.array(
        z.object({
          date: z.iso.date(),
          bookings: z.number().int(),
          /** Customers' payments of that day less refunds. */
          revenueCents: z.number().int(),
          /** The platform's share. */
          feeCents: z.number().int(),
          newUsers: z.number().int(),
          /** Lessons with at least one booking that took place. */
          lessons: z.number().int(),
        }),
      ),
      payoutsDueCents: z.number().int(),
    }),
    summary: 'The figures of the platform: each of the last 30 days, and what coaches are owed now.',
  }),
};
