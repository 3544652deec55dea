import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import type { AccountFacts, SignInMethod, User } from '../queries.ts';
import type { AccessTokens } from './access-token.ts';
import { accessTokenSeconds, appMetadata, describeUserMetadata } from './access-token.ts';

/** The origin of a sign-in, stored with the session so that the account's owner can recognise the session. */
export type Device = { userAgent: string; ipAddress: string };

/** An open session before conversion to auth-js's format. */
export type OpenSession = {
  user: User;
  sessionId: string;
  signedInAt: string;
  method: SignInMethod;
  /** The time at which the session was confirmed with an authenticator or recovery code; null if it was not. */
  secondStepAt: string | null;
  refreshToken: string;
};

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A secret for a link or a refresh token: 256 random bits, URL-safe. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** Opens a session and issues its first refresh token, from which all later tokens are derived. */
export async function openSession(
  tx: Tx,
  user: User,
  device: Device,
  method: SignInMethod = 'password',
): Promise<OpenSession> {
  const refreshToken = generateToken();
  const { rows } = await sql<{ sessionId: string; createdAt: string }>`
    with session as (
      insert into sessions (user_id, method, user_agent, ip_address)
      values (${user.userId}::uuid, ${method}, ${device.userAgent.slice(0, 400)}, ${device.ipAddress})
      returning session_id, created_at
    ), token as (
      insert into refresh_tokens (token_hash, session_id) select ${hashToken(refreshToken)}::bytea, session_id from session
    )
    select session_id, created_at from session`.execute(tx);
  const { sessionId, createdAt } = rows[0]!;
  return {
    user,
    sessionId,
    signedInAt: createdAt,
    method,
    secondStepAt: null,
    refreshToken,
  };
}

/** Returns a session in auth-js's format; the expiry is in seconds. */
export async function describeSession(tokens: AccessTokens, session: OpenSession, facts: AccountFacts) {
  const { user, sessionId, signedInAt, method, secondStepAt, refreshToken } = session;
  const { token, expiresAt } = await tokens.sign({
    userId: user.userId,
    email: user.email,
    fullName: user.fullName,
    sessionId,
    signedInAt,
    method,
    secondStepAt,
  });
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: describeUser(user, facts),
  };
}

/** Returns a user in the format of auth-js's type `User`. */
export function describeUser(user: User, { factors, emailChange }: AccountFacts) {
  const lastSignInAt = user.lastSignInAt ?? undefined;
  return {
    id: user.userId,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    new_email: emailChange?.newEmail,
    email_change_sent_at: emailChange?.requestedAt,
    phone: '',
    email_confirmed_at: user.emailConfirmedAt ?? undefined,
    confirmed_at: user.emailConfirmedAt ?? undefined,
    last_sign_in_at: lastSignInAt,
    app_metadata: appMetadata,
    user_metadata: describeUserMetadata(user.fullName),
    identities: [
      {
        identity_id: user.userId,
        id: user.userId,
        user_id: user.userId,
        identity_data: {
          sub: user.userId,
          email: user.email,
          email_verified: user.emailConfirmedAt !== null,
          phone_verified: false,
          ...describeUserMetadata(user.fullName),
        },
        provider: 'email',
        email: user.email,
        last_sign_in_at: lastSignInAt,
        created_at: user.createdAt,
        updated_at: user.updatedAt,
      },
    ],
    factors: factors.map((factor) => ({
      id: factor.factorId,
      friendly_name: factor.friendlyName ?? undefined,
      factor_type: 'totp',
      status: factor.status,
      created_at: factor.createdAt,
      updated_at: factor.updatedAt,
    })),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    is_anonymous: false,
  };
}
