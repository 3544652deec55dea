import type { Database } from '#server/platform/db/db.ts';
import { findSessionUser, type SignInFacts, type User } from '../queries.ts';
import { type AccessTokens, readBearer } from '../sessions/access-token.ts';
import { isConfirmed } from '../sessions/confirm-session.ts';
import { hasVerifiedFactor } from '../two-step/factors.ts';
import { AuthRefusal } from './auth-refusal.ts';
import type { AuthContext } from './auth-requests.ts';

export type AuthCaller = { user: User & SignInFacts; userId: string; sessionId: string };

/** Ways to authenticate callers of `/auth/v1`; each throws {@link AuthRefusal} if the caller is not allowed. */
export type AuthCallers = Record<
  /** Accepts anyone with a session. */
  | 'authenticate'
  /** Like `authenticate`; if the account has an authenticator app, the app's code must also have been entered. */
  | 'authenticateFully'
  /** Like `authenticateFully`, but the password must also have been entered recently. */
  | 'authenticateConfirmed',
  (c: AuthContext) => Promise<AuthCaller>
>;

export const refuseUnconfirmed = () =>
  new AuthRefusal(401, 'reauthentication_needed', 'To do this, please enter your password again.');

export function createAuthCallers(db: Database, tokens: AccessTokens): AuthCallers {
  const authenticate = async (c: AuthContext): Promise<AuthCaller> => {
    const token = readBearer(c.req.header('authorization'));
    if (!token) {
      throw new AuthRefusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
    }
    const claims = await tokens.verify(token);
    if (!claims) {
      throw new AuthRefusal(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, or expired');
    }
    const user = await findSessionUser(db, claims.session_id);
    if (user?.userId !== claims.sub) {
      throw new AuthRefusal(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    }
    return { user, userId: claims.sub, sessionId: claims.session_id };
  };
  const authenticateFully = async (c: AuthContext) => {
    const caller = await authenticate(c);
    if (!caller.user.secondStepAt && (await hasVerifiedFactor(db, caller.userId))) {
      throw new AuthRefusal(401, 'insufficient_aal', "Please enter your authenticator app's code first.");
    }
    return caller;
  };
  const authenticateConfirmed = async (c: AuthContext) => {
    const caller = await authenticateFully(c);
    if (!isConfirmed(caller.user)) throw refuseUnconfirmed();
    return caller;
  };
  return { authenticate, authenticateFully, authenticateConfirmed };
}
