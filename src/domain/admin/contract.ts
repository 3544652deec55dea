import { z } from 'zod';
import { profile, role } from '../accounts/contract.ts';
import { endpoint } from '../endpoint.ts';
import {
  businessName,
  cents,
  count,
  csvFile,
  emailAddress,
  instant,
  nextCursor,
  pageFields,
  pageSize,
  personName,
} from '../fields.ts';
import { isPeriod, periodError, periodFields } from '../period.ts';
import { auditKinds } from './audit-labels.ts';

export const listedUser = profile
  .pick({
    userId: true,
    email: true,
    fullName: true,
    roles: true,
    createdAt: true,
  })
  .meta({ id: 'ListedUser', description: 'A person as admins see them in the list of users.' });
export type ListedUser = z.output<typeof listedUser>;

export const roleObstacles = z
  .object({
    lessonsAhead: z
      .number()
      .int()
      .describe(
        "For the coach role, the upcoming booked lessons that the person coaches; for the customer role, the person's bookings of lessons that are not over.",
      ),
    refundCents: cents.describe(
      "A customer's refunds that are on their way or have failed; 0 for the coach role.",
    ),
    business: z
      .object({
        businessName,
        successors: z.array(z.object({ coachId: z.uuid(), fullName: personName })),
      })
      .nullable()
      .describe(
        'The business that would have no owner, and the coaches in its team who can take over. If nobody can, the business is suspended.',
      ),
  })
  .meta({
    id: 'RoleObstacles',
    description: 'Details of the `conflict` that an admin sees before revoking the coach or customer role.',
  });
export type RoleObstacles = z.output<typeof roleObstacles>;

const namedPerson = z.object({ userId: z.uuid(), fullName: personName, email: emailAddress }).meta({
  id: 'NamedPerson',
  description:
    'A person named in the audit log. A deleted account has the name "Deleted account" and an empty email address.',
});

export const auditEntry = z
  .object({
    auditId: z.number().int(),
    at: instant,
    actor: namedPerson
      .nullable()
      .describe('Null if no person acted; `system` then names the job, command or service that acted.'),
    system: z
      .string()
      .meta({ examples: ['Stripe'] })
      .nullable(),
    action: z.string().meta({ examples: ['role.granted'] }),
    subjectType: z.string().meta({ description: 'The kind of record affected.', examples: ['profile'] }),
    subjectId: z.string().meta({ examples: ['0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55'] }),
    subject: namedPerson.nullable().describe('The person affected, if there is one.'),
    subjectName: z
      .string()
      .meta({ examples: ['Tennis for beginners'] })
      .nullable()
      .describe(
        "A label for an affected record that is not a person, such as a lesson's title or a payrun's reference; null if the record has no label or is deleted.",
      ),
    before: z.unknown().meta({ examples: [{ roles: ['customer'] }] }),
    after: z.unknown().meta({ examples: [{ roles: ['customer', 'coach'] }] }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'One event in the audit log. `before` and `after` are the changed values, as stored.',
  });
export type AuditEntry = z.output<typeof auditEntry>;

/** The maximum number of rows in an exported audit log. */
export const longestAuditFile = 5000;

const search = z
  .string()
  .trim()
  .max(100, "A search can't be longer than 100 characters.")
  .optional()
  .meta({ examples: ['alex'] });

export const auditFilter = {
  search: search.describe(
    'Part of the name or email address of the actor or the person affected; or the whole id (a UUID) of the actor or the subject.',
  ),
  kind: z.enum(auditKinds).optional().describe('Events of this kind only.'),
  ...periodFields,
};

export const adminApi = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    operationId: 'list_users',
    gate: 'admin',
    summary: 'List people',
    description: 'Everyone with a profile, newest first, a page at a time.',
    input: z.object({
      search: search.describe('Part of the name or email address.'),
      role: role.optional().describe('People with this role only.'),
      ...pageFields({ size: 50, max: 100 }),
    }),
    output: z.object({ users: z.array(listedUser), nextCursor }),
  }),
  changeRole: endpoint({
    method: 'PUT',
    path: '/api/admin/users/:userId/roles/:role',
    operationId: 'change_role',
    gate: 'admin',
    summary: 'Grant or revoke a role',
    description:
      "Grants or revokes a person's role. Revoking is refused with `conflict` for the last admin. It is also refused with `conflict`, and with `lessonsAhead`, `refundCents` and `business` as details, if there are more outstanding lessons or refunds than the admin saw, or if a business would be left without an owner.",
    refusals: ['conflict', 'confirmation_required'],
    input: z.object({
      userId: z.uuid().describe('The person.'),
      role: role.describe('The role to grant or revoke.'),
      isHeld: z.boolean().describe('True to grant the role, false to revoke it.'),
      expectedLessons: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .describe('How many upcoming booked lessons the admin saw when revoking the coach or customer role.'),
      expectedRefundCents: cents
        .min(0)
        .max(1_000_000_000)
        .default(0)
        .describe(
          'The outstanding refunds, in minor units (pence), that the admin saw when revoking the customer role.',
        ),
      successorId: z
        .uuid()
        .nullable()
        .optional()
        .describe(
          'The coach who takes over the business whose only owner loses the coach role; null if the admin saw that nobody can take over and that the business will be suspended.',
        ),
    }),
    output: z.object({ user: listedUser }),
    reauthenticate: ({ role }) => role === 'admin',
  }),
  endSessionsOf: endpoint({
    method: 'DELETE',
    path: '/api/admin/users/:userId/sessions',
    operationId: 'end_sessions_of',
    gate: 'admin',
    summary: 'Sign a person out everywhere',
    description:
      'Immediately signs another person out of every browser. Emails the person if they were signed in anywhere.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({ userId: z.uuid().describe('The person to sign out.') }),
    output: z.object({ ended: count.describe('How many browsers the person was signed out of.') }),
  }),
  listAudit: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    operationId: 'list_audit',
    gate: 'admin',
    summary: 'List audit log entries',
    description: 'Who did what and when, with the values before and after. Newest first, a page at a time.',
    input: z
      .object({
        ...auditFilter,
        cursor: z.coerce
          .number()
          .int()
          .min(1)
          .max(Number.MAX_SAFE_INTEGER)
          .optional()
          .describe('The `nextCursor` of the previous page.'),
        limit: pageSize({ size: 25, max: 100 }),
      })
      .refine(isPeriod, periodError),
    output: z.object({
      entries: z.array(auditEntry),
      nextCursor: z.number().int().nullable().describe('Null at the end of the list.'),
    }),
  }),
  // Not a GET, since each export is recorded in the log.
  exportAudit: endpoint({
    method: 'POST',
    path: '/api/admin/audit-log-file',
    operationId: 'export_audit',
    gate: 'admin',
    summary: 'Export the audit log',
    description: `The newest ${longestAuditFile.toLocaleString('en-GB')} matching entries of the audit log, as CSV with London times.`,
    // The file may contain names and email addresses from several years.
    reauthenticate: true,
    input: z.object(auditFilter).refine(isPeriod, periodError),
    output: z.object({
      ...csvFile,
      entryCount: z.number().int().describe('How many entries the file contains.'),
      isCut: z.boolean().describe('Whether more entries match than fit in the file.'),
    }),
  }),
  getOverview: endpoint({
    method: 'GET',
    path: '/api/admin/overview',
    operationId: 'get_overview',
    gate: 'admin',
    summary: "Get the platform's figures",
    description: 'Figures for each of the last 30 days, and the amount that coaches are owed now.',
    input: z.object({}),
    output: z.object({
      days: z
        .array(
          z.object({
            date: z.iso.date(),
            bookings: z.number().int().describe('Bookings confirmed on that day.'),
            revenueCents: cents.describe('Payments on that day, less the refunds of that day.'),
            feeCents: cents.describe('Platform fees of that day, less the fees returned on that day.'),
            newUsers: z.number().int().describe('Profiles created on that day.'),
            lessons: z.number().int().describe('Lessons that took place and had at least one booking.'),
          }),
        )
        .describe(
          'The last 30 days, including today (London time), oldest first. Amounts in minor units (pence).',
        ),
      payoutsDueCents: cents.describe(
        "The coaches' share, in minor units (pence), of bookings of past lessons that are in no payrun.",
      ),
    }),
  }),
};
