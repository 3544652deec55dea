import { sql } from 'kysely';
import { deletedAccount } from '#domain/account/deletion.ts';
import type { Register } from './personal-data-entry.ts';

type AccountTable =
  | 'profiles'
  | 'businessInvitations'
  | 'coachingBusinesses'
  | 'coachAddresses'
  | 'coaches'
  | 'factorChallenges'
  | 'factors'
  | 'recoveryCodes'
  | 'refreshTokens'
  | 'sessions'
  | 'emailChanges'
  | 'oneTimeTokens'
  | 'users';

const none = sql<null>`null`;
const withAccount = { text: 'Deleted.', deletes: true } as const;
const untilDeleted = { text: 'Until the account is deleted.' };

/** The register's entries for accounts and businesses. */
export const accountTables: Register<AccountTable> = {
  profiles: {
    purpose: "A person's name, email address and roles, and the card that pays for bookings.",
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: {
      text: 'Cleared. The row stays, as “Deleted account”, because bookings, payments and payruns refer to it.',
      empties: {
        email: () => sql`''`,
        fullName: () => sql`${deletedAccount}::text`,
        roles: () => sql`'{}'::text[]`,
        stripeCustomerId: () => none,
        stripePaymentMethodId: () => none,
        paymentMethodBrand: () => none,
        paymentMethodLastFour: () => none,
        paymentMethodExpMonth: () => none,
        paymentMethodExpYear: () => none,
        cardExpiryWarnedAt: () => none,
        avatarUrl: () => none,
        coachAddress: () => none,
        deletedAt: () => sql`now()`,
      },
    },
    retention: untilDeleted,
    columns: {
      userId: 'exported',
      email: 'exported',
      fullName: 'exported',
      roles: 'exported',
      createdAt: 'exported',
      stripeCustomerId: 'exported',
      stripePaymentMethodId: 'exported',
      paymentMethodBrand: 'exported',
      paymentMethodLastFour: 'exported',
      paymentMethodExpMonth: 'exported',
      paymentMethodExpYear: 'exported',
      cardExpiryWarnedAt: 'exported',
      deletedAt: 'exported',
      avatarUrl: 'exported',
      coachAddress: 'exported',
      livingUserId: 'derived',
    },
  },
  businessInvitations: {
    purpose: 'Invitations to join the team of a business, sent to an email address.',
    rowsOf: ({ email }) => sql`email = ${email}`,
    erasure: {
      text: 'Withdrawn if the invitation is still open; the email address is removed.',
      empties: {
        email: ({ userId }) => sql`${`${userId}@deleted.invalid`}`,
        status: () => sql`case when status = 'pending' then 'withdrawn' else status end`,
        decidedAt: () => sql`coalesce(decided_at, now())`,
      },
    },
    retention: {
      text: '90 days after the invitation was answered or expired.',
      isOver: sql<boolean>`coalesce(decided_at, expires_at) < now() - interval '90 days'`,
    },
    columns: {
      invitationId: 'exported',
      businessId: 'exported',
      email: 'exported',
      tokenHash: 'secret',
      invitedBy: 'others',
      status: 'exported',
      createdAt: 'exported',
      expiresAt: 'exported',
      appliedAt: 'exported',
      decidedAt: 'exported',
    },
    readable: {
      businessName: sql`(select business_name from coaching_businesses business
        where business.business_id = business_invitations.business_id)`,
    },
  },
  coachingBusinesses: {
    purpose: 'A business in which coaches work together. Its owners see it in their download.',
    rowsOf: ({ userId }) => sql`business_id in (
      select business_id from coaches where coach_id = ${userId}::uuid and business_role = 'owner')`,
    erasure: {
      text: 'Transferred to another owner before the account is deleted; deleted if there is no other owner.',
    },
    retention: { text: 'Until the last owner ends the business.' },
    columns: {
      businessId: 'exported',
      ownerUserId: 'others',
      businessName: 'exported',
      businessEmail: 'exported',
      businessPhone: 'exported',
      businessAddress: 'exported',
      taxId: 'exported',
      payoutNeeds: 'exported',
      createdAt: 'exported',
      ownerRole: 'derived',
    },
  },
  coachAddresses: {
    purpose:
      "The addresses of a coach's page, made from the public name; earlier addresses redirect to the current one.",
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: untilDeleted,
    columns: { address: 'exported', coachId: 'exported', createdAt: 'exported' },
  },
  coaches: {
    purpose: 'What customers can read about a coach, and the team the coach belongs to.',
    rowsOf: ({ userId }) => sql`coach_id = ${userId}::uuid`,
    erasure: {
      text: 'Hidden and cleared. The row stays, because lessons and the ledger refer to it.',
      empties: {
        isActive: () => sql`false`,
        bio: () => none,
        coachType: () => none,
        hourlyRateCents: () => none,
        sports: () => sql`'{}'::text[]`,
        towns: () => sql`'{}'::text[]`,
        languages: () => sql`'{}'::text[]`,
      },
    },
    retention: untilDeleted,
    columns: {
      coachId: 'exported',
      businessId: 'exported',
      businessRole: 'exported',
      hourlyRateCents: 'exported',
      coachType: 'exported',
      bio: 'exported',
      sports: 'exported',
      towns: 'exported',
      languages: 'exported',
      isActive: 'exported',
      isWelfareOfficer: 'exported',
      createdAt: 'exported',
      listedUntil: 'exported',
      isListed: 'exported',
      minorsUntilDbs: 'derived',
      minorsUntilPvg: 'derived',
      minorsUntilAccessNi: 'derived',
      minorsUntil: 'exported',
      inactiveSince: 'exported',
    },
    readable: {
      businessName: sql`(select business_name from coaching_businesses business
        where business.business_id = coaches.business_id)`,
    },
  },
  factorChallenges: {
    purpose: "Requests for an authenticator app's code.",
    rowsOf: ({ userId }) => sql`factor_id in (select factor_id from factors where user_id = ${userId}::uuid)`,
    erasure: withAccount,
    retention: { text: '5 minutes.', isOver: sql<boolean>`expires_at < now()` },
    columns: { challengeId: 'secret', factorId: 'exported', sessionId: 'exported', expiresAt: 'exported' },
  },
  factors: {
    purpose: 'Authenticator apps for two-step sign-in.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: { text: 'Until two-step sign-in is switched off or the account is deleted.' },
    columns: {
      factorId: 'exported',
      userId: 'exported',
      friendlyName: 'exported',
      status: 'exported',
      encryptedSecret: 'secret',
      lastStep: 'secret',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
  recoveryCodes: {
    purpose: 'Single-use codes for signing in without the authenticator app.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: {
      text: 'Until new codes are created, two-step sign-in is switched off or the account is deleted.',
    },
    columns: { codeHash: 'secret', userId: 'exported', createdAt: 'exported', usedAt: 'exported' },
  },
  refreshTokens: {
    purpose: 'Tokens that keep a browser signed in.',
    rowsOf: ({ userId }) =>
      sql`session_id in (select session_id from sessions where user_id = ${userId}::uuid)`,
    erasure: withAccount,
    retention: {
      // For these 60 days, the reuse of a token can be detected.
      text: '60 days after the token was used. An unused token is kept as long as its session.',
      isOver: sql<boolean>`used_at < now() - interval '60 days'`,
    },
    columns: { tokenHash: 'secret', sessionId: 'exported', createdAt: 'exported', usedAt: 'exported' },
  },
  sessions: {
    purpose:
      "A person's sign-ins, with browser and IP address, so that the person can spot a stranger's sign-in.",
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: {
      text: '60 days after the session ended. A session ends after 30 days without use, and always after 180 days.',
      isOver: sql<boolean>`ended_at < now() - interval '60 days'`,
    },
    columns: {
      sessionId: 'exported',
      userId: 'exported',
      createdAt: 'exported',
      refreshedAt: 'exported',
      endedAt: 'exported',
      userAgent: 'exported',
      ipAddress: 'exported',
      method: 'exported',
      secondStepAt: 'exported',
      confirmedAt: 'exported',
    },
  },
  emailChanges: {
    purpose: 'A new email address that is yet to be confirmed.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: { text: '24 hours.', isOver: sql<boolean>`expires_at < now()` },
    columns: {
      userId: 'exported',
      newEmail: 'exported',
      currentTokenHash: 'secret',
      newTokenHash: 'secret',
      currentConfirmedAt: 'exported',
      newConfirmedAt: 'exported',
      requestedAt: 'exported',
      expiresAt: 'exported',
    },
  },
  oneTimeTokens: {
    purpose: 'Links in emails that confirm an address or reset a password.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: withAccount,
    retention: {
      text: '7 days after the link has expired.',
      isOver: sql<boolean>`expires_at < now() - interval '7 days'`,
    },
    columns: {
      tokenHash: 'secret',
      userId: 'exported',
      purpose: 'exported',
      passwordHash: 'secret',
      fullName: 'exported',
      createdAt: 'exported',
      expiresAt: 'exported',
      usedAt: 'exported',
    },
  },
  users: {
    purpose: 'Signing in with an email address and password.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted, so that the email address can be used to sign up again.', deletes: true },
    retention: {
      text: 'Until the account is deleted; 30 days for a sign-up whose address was never confirmed.',
      isOver: sql<boolean>`email_confirmed_at is null and created_at < now() - interval '30 days'
        and not exists (select from profiles where profiles.user_id = users.user_id)
        and not exists (select from one_time_tokens token
          where token.user_id = users.user_id and token.expires_at > now())`,
    },
    columns: {
      userId: 'exported',
      email: 'exported',
      passwordHash: 'secret',
      fullName: 'exported',
      emailConfirmedAt: 'exported',
      lastSignInAt: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
    },
  },
};
