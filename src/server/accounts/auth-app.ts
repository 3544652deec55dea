import { Hono } from 'hono';
import { findPasswordWeakness } from '#domain/accounts/rules.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import type { Variables } from '#server/platform/http.ts';
import { enqueue } from '#server/platform/jobs.ts';
import type { Log } from '#server/platform/log.ts';
import { createAccessTokens, readBearer } from './access-token.ts';
import { type AuthLimits, authLimits, createAuthLimiter } from './auth-limits.ts';
import { AuthRefusal, readAuthRefusal } from './auth-refusal.ts';
import { type AuthContext, authRequests, readBody } from './auth-requests.ts';
import { changePassword } from './change-password.ts';
import {
  challengeFactor,
  enrolFactor,
  hasVerifiedFactor,
  refuseFactor,
  removeFactor,
  verifyFactor,
} from './factors.ts';
import { type Device, describeSession, describeUser, type OpenSession } from './open-session.ts';
import { findSessionUser, listFactors, type User } from './queries.ts';
import { openRecovery } from './recover-password.ts';
import { createSuccession, refreshSession } from './refresh-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { describeApplicant, signUp } from './sign-up.ts';
import { updateName } from './update-name.ts';
import { verifySignUp } from './verify-sign-up.ts';

const apiVersion = '2024-01-01';

/**
 * The accounts server, to be mounted at `/auth/v1` of an app made by `createHttpApp`. It speaks the part of
 * GoTrue's HTTP API that auth-js 2.103.1 uses for sign-up by mail, password sign-in and sessions.
 * `limits` replaces single limits of {@link authLimits}.
 */
export function createAuthApp({
  db,
  config,
  log,
  limits,
}: {
  db: Database;
  config: Pick<Config, 'signingKeys' | 'publicUrl' | 'dataKey'>;
  log: Log;
  limits?: Partial<AuthLimits>;
}): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  const tokens = createAccessTokens(config);
  const succeed = createSuccession(config);
  const limiter = createAuthLimiter(db, { ...authLimits, ...limits });
  const answerSession = async (c: AuthContext, session: OpenSession) =>
    c.json(await describeSession(tokens, session, await listFactors(db, session.user.userId)));

  /** Only our own site is an address to send somebody to who comes with a fresh session. */
  const checkRedirect = (given: string | undefined, page = '/'): string => {
    const root = `${config.publicUrl}${page}`;
    if (!given || !URL.canParse(given)) return root;
    const url = new URL(given);
    url.hash = '';
    return url.origin === new URL(root).origin ? url.href : root;
  };

  const authenticate = async (c: AuthContext) => {
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

  /** As `authenticate`; where the account has an authenticator app, its code has to have been given too. */
  const authenticateFully = async (c: AuthContext) => {
    const session = await authenticate(c);
    if (!session.user.secondStepAt && (await hasVerifiedFactor(db, session.userId))) {
      throw new AuthRefusal(401, 'insufficient_aal', "Please enter your authenticator app's code first.");
    }
    return session;
  };

  app.use(async (c, next) => {
    c.header('cache-control', 'no-store');
    c.header('x-supabase-api-version', apiVersion);
    await next();
  });

  app.onError((error, c) => {
    const known = readAuthRefusal(error);
    if (!known || known.status >= 500) {
      log.error({ requestId: c.get('requestId'), path: c.req.path, err: error }, 'request failed');
    }
    const refusal =
      known ?? new AuthRefusal(500, 'unexpected_failure', 'Something went wrong. Please try again.');
    const { retryAfterSeconds } = refusal.extra;
    if (retryAfterSeconds) c.header('retry-after', String(retryAfterSeconds));
    return c.json(refusal.toBody(), refusal.status);
  });

  app.post('/signup', async (c) => {
    const { email, password, data } = await readBody(c, authRequests.signUp);
    refuseWeakPassword(password);
    await limiter.countSignUp(email, c.get('ipAddress'));
    const fullName = data?.full_name || null;
    const redirectTo = checkRedirect(c.req.query('redirect_to'));
    await signUp({ db, config }, { email, password, fullName, redirectTo });
    return c.json(describeApplicant(email, fullName));
  });

  app.post('/token', async (c) => {
    const grant = c.req.query('grant_type');
    if (grant === 'password') {
      const { email, password } = await readBody(c, authRequests.password);
      const attempt = () => signIn(db, { email, password }, readDevice(c));
      return answerSession(c, await limiter.countSignIn(email, c.get('ipAddress'), attempt));
    }
    if (grant === 'refresh_token') {
      const { refresh_token: token } = await readBody(c, authRequests.refresh);
      const count = limiter.countRefresh;
      const session = await refreshSession(db, token, { succeed, count, log }).catch(async (error) => {
        const isWrong = error instanceof AuthRefusal && error.code === 'refresh_token_not_found';
        if (isWrong) await limiter.countWrongToken(c.get('ipAddress'));
        throw error;
      });
      return answerSession(c, session);
    }
    throw new AuthRefusal(400, 'validation_failed', 'grant_type must be password or refresh_token.');
  });

  app.post('/resend', async (c) => {
    const { email } = await readBody(c, authRequests.resend);
    await limiter.countResend(email, c.get('ipAddress'));
    const redirectTo = checkRedirect(c.req.query('redirect_to'));
    await enqueue(db, 'accounts.verification_requested', { email, redirectTo });
    return c.json({});
  });

  app.post('/recover', async (c) => {
    const { email } = await readBody(c, authRequests.recover);
    await limiter.countRecovery(email, c.get('ipAddress'));
    const redirectTo = checkRedirect(c.req.query('redirect_to'), '/reset-password');
    await enqueue(db, 'accounts.recovery_requested', { email, redirectTo });
    return c.json({});
  });

  app.get('/verify', async (c) => {
    const { token = '', type } = c.req.query();
    // A HEAD request, as link previews and mail scanners send it, must not use the link up.
    if (c.req.method === 'HEAD') return c.body(null);
    const redirectTo = checkRedirect(c.req.query('redirect_to'));
    const outcome = await openLink(c, token, type === 'recovery' ? 'recovery' : 'signup');
    c.header('referrer-policy', 'no-referrer');
    return c.redirect(`${redirectTo}#${new URLSearchParams(outcome)}`, 303);
  });

  /** What the site reads from the fragment: the session, or why there is none (OAuth's implicit flow). */
  async function openLink(
    c: AuthContext,
    token: string,
    type: 'signup' | 'recovery',
  ): Promise<Record<string, string>> {
    const open = type === 'recovery' ? openRecovery : verifySignUp;
    try {
      const session = await describeSession(tokens, await open(db, token, readDevice(c)), []);
      return {
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        token_type: session.token_type,
        type,
      };
    } catch (error) {
      if (!(error instanceof AuthRefusal)) throw error;
      return { error: 'access_denied', error_code: error.code, error_description: error.message };
    }
  }

  app.post('/verify', async (c) => {
    const { token_hash: token, type } = await readBody(c, authRequests.verify);
    const open = type === 'recovery' ? openRecovery : verifySignUp;
    return answerSession(c, await open(db, token, readDevice(c)));
  });

  app.post('/factors', async (c) => {
    const { userId, user } = await authenticateFully(c);
    const { friendly_name: friendlyName } = await readBody(c, authRequests.enroll);
    const { factorId, ...totp } = await enrolFactor(
      { db, config },
      { userId, email: user.email, friendlyName },
    );
    return c.json({ id: factorId, type: 'totp', friendly_name: friendlyName ?? undefined, totp });
  });

  app.post('/factors/:factorId/challenge', async (c) => {
    const { userId, sessionId } = await authenticate(c);
    const challenge = await challengeFactor(db, { userId, sessionId, factorId: readFactorId(c) });
    return c.json({ id: challenge.challengeId, type: 'totp', expires_at: challenge.expiresAt });
  });

  app.post('/factors/:factorId/verify', async (c) => {
    const { userId, sessionId } = await authenticate(c);
    const { code, challenge_id: challengeId } = await readBody(c, authRequests.code);
    const given = { userId, sessionId, factorId: readFactorId(c), challengeId, code };
    const session = await limiter.countCode(userId, () => verifyFactor({ db, config }, given));
    return answerSession(c, session);
  });

  app.delete('/factors/:factorId', async (c) => {
    const { userId } = await authenticateFully(c);
    const factorId = readFactorId(c);
    await removeFactor(db, { userId, factorId });
    return c.json({ id: factorId });
  });

  app.get('/user', async (c) => {
    const { user, userId } = await authenticate(c);
    return c.json(describeUser(user, await listFactors(db, userId)));
  });

  app.put('/user', async (c) => {
    const { user, userId, sessionId } = await authenticateFully(c);
    const { data, password } = await readBody(c, authRequests.updateUser);
    if (password !== undefined) refuseWeakPassword(password);
    const fullName = data?.full_name;
    let changed: User = user;
    if (password !== undefined) changed = await changePassword({ db, config }, { user, sessionId, password });
    if (fullName) changed = await updateName(db, userId, fullName);
    return c.json(describeUser(changed, await listFactors(db, userId)));
  });

  app.post('/logout', async (c) => {
    const session = await authenticate(c);
    const scope = authRequests.scope.safeParse(c.req.query('scope') ?? 'global');
    if (!scope.success) {
      throw new AuthRefusal(400, 'validation_failed', 'scope must be global, local or others.');
    }
    await signOut(db, session, scope.data);
    return c.body(null, 204);
  });

  app.get('/.well-known/jwks.json', (c) => {
    c.header('cache-control', 'public, max-age=600');
    return c.json(tokens.keySet);
  });

  app.get('/health', (c) =>
    c.json({ name: 'Touchline accounts', description: 'Sign-up, sign-in and sessions' }),
  );

  app.get('/settings', (c) =>
    c.json({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      mfa_enabled: true,
      saml_enabled: false,
    }),
  );

  app.all('*', () => {
    throw new AuthRefusal(404, 'not_found', 'There is nothing at this address.');
  });

  return app;
}

function refuseWeakPassword(password: string): void {
  const weakness = findPasswordWeakness(password);
  if (!weakness) return;
  throw new AuthRefusal(422, 'weak_password', weakness.message, { reasons: weakness.reasons });
}

function readFactorId(c: AuthContext): string {
  const given = authRequests.factorId.safeParse(c.req.param('factorId'));
  if (!given.success) throw refuseFactor();
  return given.data;
}

const readDevice = (c: AuthContext): Device => ({
  userAgent: c.req.header('user-agent') ?? '',
  ipAddress: c.get('ipAddress'),
});
