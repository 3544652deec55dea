import { z } from 'zod';
import { auditKinds } from '#domain/admin/audit-words.ts';
import { roles } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { isPeriod, periodError, periodFields } from '../period.ts';

/** What the product knows of a person, as that person sees it. */
export const profile = z.object({
  userId: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  roles: z.array(z.enum(roles)),
  /**
   * Roles the person does not hold but has money matters of: bookings or a saved card as a customer, lessons that were
   * booked or bank details as a coach. They keep the pages about those.
   */
  formerRoles: z.array(z.enum(roles)),
  createdAt: z.string(),
  paymentMethodLastFour: z.string().nullable(),
  paymentMethodBrand: z.string().nullable(),
  /** An admin who may do nothing as one before two-step sign-in is on, because the operator requires it. */
  isTwoStepMissing: z.boolean(),
});
export type Profile = z.output<typeof profile>;

/** A person as admins see them in the list of users. */
export const listedUser = profile.pick({
  userId: true,
  email: true,
  fullName: true,
  roles: true,
  createdAt: true,
});
export type ListedUser = z.output<typeof listedUser>;

/** What an admin is told, as details of the `conflict`, before the coach or customer role is taken from somebody. */
export const roleObstacles = z.object({
  /** Booked lessons to come: to give as a coach, to attend as a customer. */
  lessonsAhead: z.number().int(),
  /** A customer's refunds that are not finished, those given up on included, in cents. */
  refundCents: z.number().int(),
  /** The business that has no other owner, and the coaches of its team who can take over; it rests where nobody can. */
  business: z
    .object({
      businessName: z.string(),
      successors: z.array(z.object({ coachId: z.uuid(), fullName: z.string() })),
    })
    .nullable(),
});
export type RoleObstacles = z.output<typeof roleObstacles>;

/** A person named in the audit log; {@link deletedAccount} where the account is gone. */
const namedPerson = z.object({ userId: z.uuid(), fullName: z.string(), email: z.string() });

/** One deed in the audit log. `before` and `after` hold what was changed, as it was stored. */
export const auditEntry = z.object({
  auditId: z.number().int(),
  at: z.string(),
  /** Null where the system acted; `system` then names the job or command. */
  actor: namedPerson.nullable(),
  system: z.string().nullable(),
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  /** The person it was done to, where it was one. */
  subject: namedPerson.nullable(),
  /** Any other record in words: a lesson's title, a payrun's reference; null where it has none or is gone. */
  subjectName: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** A browser that is signed in. Instants in UTC; `lastSeenAt` is when it last renewed its token, which it does hourly. */
const openedSession = z.object({
  sessionId: z.uuid(),
  /** In words, such as "Chrome on Windows". */
  device: z.string(),
  signedInAt: z.string(),
  lastSeenAt: z.string(),
  isCurrent: z.boolean(),
  /** The password was right and the authenticator app's code was not given. */
  isCodeAwaited: z.boolean(),
});
export type OpenedSession = z.output<typeof openedSession>;

/** A fresh proof of who asks: the current password, or the code that the person's authenticator app shows. */
export const identityProof = z.object({
  proofKind: z.enum(['password', 'code']),
  proof: z
    .string('Enter your password.')
    .min(1, 'Enter your password.')
    .max(1000, 'A password has at most 200 characters.'),
});
export type IdentityProof = z.output<typeof identityProof>;

/** Most rows of an exported audit log. */
export const longestAuditFile = 5000;

const search = z.string().trim().max(100, 'Search for something shorter than 100 characters.').optional();

const auditFilter = {
  /** A part of the name or address of who did it or of whom it was done to, or the id of what it was done to. */
  search,
  kind: z.enum(auditKinds).optional(),
  /** London dates, inclusive. */
  ...periodFields,
};

export const accountsApi = {
  getProfile: endpoint({
    method: 'GET',
    path: '/api/profile',
    operationId: 'get_profile',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ profile: profile.nullable() }),
    summary: "The signed-in person's profile; null before the first one was created.",
  }),
  createProfile: endpoint({
    method: 'POST',
    path: '/api/profile',
    operationId: 'create_profile',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ profile }),
    summary: 'Creates the profile on first sign-in (role customer); answers the existing one afterwards.',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/account/sessions',
    operationId: 'list_sessions',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ sessions: z.array(openedSession) }),
    summary: 'The browsers the person is signed in with: this one first, then the one seen last.',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/:sessionId',
    operationId: 'end_session',
    gate: 'signedIn',
    input: z.object({ sessionId: z.uuid() }),
    output: z.object({}),
    summary: "Signs one of the person's own browsers out, at once.",
  }),
  cancelEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/account/email-change',
    operationId: 'cancel_email_change',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({}),
    summary: 'Gives up a change of the email address that waits to be confirmed; no change waiting is fine.',
  }),
  getRecoveryCodes: endpoint({
    method: 'GET',
    path: '/api/account/recovery-codes',
    operationId: 'get_recovery_codes',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ left: z.number().int(), madeAt: z.string().nullable() }),
    summary: 'How many recovery codes are left; the codes themselves are shown once, when they are made.',
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/account/recovery-codes',
    operationId: 'make_recovery_codes',
    gate: 'signedIn',
    input: z.object({
      /** The authenticator app's code; left out right after the app was set up. */
      code: z
        .string('Enter the 6 digits your authenticator app shows.')
        .trim()
        .regex(/^\d{6}$/, 'Enter the 6 digits your authenticator app shows.')
        .optional(),
    }),
    output: z.object({ codes: z.array(z.string()) }),
    summary: 'Makes ten recovery codes, which replace the ones before; this answer alone has them.',
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    operationId: 'list_users',
    gate: 'admin',
    input: z.object({
      /** A part of the name or of the email address. */
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
      /** How many booked lessons ahead the admin was told of when the coach or customer role is taken. */
      expectedLessons: z.number().int().min(0).max(1_000_000).default(0),
      /** The refunds under way, in cents, that the admin was told of when the customer role is taken. */
      expectedRefundCents: z.number().int().min(0).max(1_000_000_000).default(0),
      /**
       * Who takes over the business whose only owner loses the coach role; null where the admin was told that nobody
       * can, so that it rests.
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
    /** From how many browsers the person was signed out. */
    output: z.object({ ended: z.number().int() }),
    summary: 'Signs another person out of every browser, at once; the person is told by email.',
  }),
  listAudit: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    operationId: 'list_audit',
    gate: 'admin',
    input: z
      .object({
        ...auditFilter,
        /** The last entry of the page before. */
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
      /** Whether older entries match too, which the file has no room for. */
      isCut: z.boolean(),
    }),
    summary: `The newest ${longestAuditFile} entries of the audit log that match, as CSV with London times.`,
  }),
};
