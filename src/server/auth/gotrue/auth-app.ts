import { Hono } from 'hono';
import type { IdentityProof } from '#domain/auth/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { Log } from '#server/platform/log.ts';
import { type AuthLimits, authLimits, createAuthLimiter } from '../auth-limits.ts';
import { confirmEmailChange, requestEmailChange } from '../change-email.ts';
import { composeEmailLink, linkTypes } from '../email-link.ts';
import { changePassword } from '../passwords/change-password.ts';
import { openRecovery } from '../passwords/recover-password.ts';
import { refuseWeakPassword } from '../passwords/weak-password.ts';
import { readAccountFacts, type User } from '../queries.ts';
import { createAccessTokens } from '../sessions/access-token.ts';
import { type Device, describeSession, describeUser, type OpenSession } from '../sessions/open-session.ts';
import { createSuccession, refreshSession } from '../sessions/refresh-session.ts';
import { signOutRecorded } from '../sessions/sign-out.ts';
import { findSignIn } from '../sign-in/familiar-address.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { describeApplicant, signUp } from '../sign-in/sign-up.ts';
import { verifySignUp } from '../sign-in/verify-sign-up.ts';
import { proveIdentity } from '../two-step/prove-identity.ts';
import { updateName } from '../update-name.ts';
import { createAuthCallers } from './auth-callers.ts';
import {
  refuseGrant,
  refuseOtherSignUps,
  refusePhoneNumber,
  refusePhoneSignIn,
  refuseTypedCode,
  serveDisabled,
} from './auth-disabled.ts';
import { serveFactors } from './auth-factors.ts';
import { AuthRefusal, readAuthRefusal } from './auth-refusal.ts';
import { type AuthContext, authRequests, readBody } from './auth-requests.ts';

const apiVersion = '2024-01-01';

/**
 * The GoTrue-compatible server, to be mounted at `/auth/v1` in an app created by `createHttpApp`. It implements the
 * part of GoTrue's HTTP API that auth-js 2.103.1 uses for sign-up by email, password sign-in, authenticator apps and
 * sessions. `limits` overrides individual limits of {@link authLimits}.
 */
export function createAuthApp({
  db,
  config,
  log,
  limits,
}: {
  db: Database;
  config: Pick<Config, 'signingKeys' | 'publicUrl' | 'dataKeys'>;
  log: Log;
  limits?: Partial<AuthLimits>;
}): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  const tokens = createAccessTokens(config);
  const succeed = createSuccession(config);
  const limiter = createAuthLimiter(db, { ...authLimits, ...limits });
  const callers = createAuthCallers(db, tokens);
  const { authenticate, authenticateFully } = callers;
  const answerSession = async (c: AuthContext, session: OpenSession) =>
    c.json(await describeSession(tokens, session, await readAccountFacts(db, session.user.userId)));
  const answerUser = async (c: AuthContext, user: User) =>
    c.json(describeUser(user, await readAccountFacts(db, user.userId)));

  /** Returns the given URL if it is on this site, otherwise the URL of `page`: no link may lead to another site. */
  const checkRedirect = (given: string | undefined, page = '/'): string => {
    const root = `${config.publicUrl}${page}`;
    if (!given || !URL.canParse(given)) return root;
    const url = new URL(given);
    url.hash = '';
    return url.origin === new URL(root).origin ? url.href : root;
  };

  app.use(async (c, next) => {
    c.header('cache-control', 'no-store');
    c.header('x-supabase-api-version', apiVersion);
    await next();
  });

  app.onError((error, c) => {
    const known = readAuthRefusal(error);
    const facts = { requestId: c.get('requestId'), path: c.req.path };
    if (!known || known.status >= 500) log.error({ ...facts, err: error }, 'request failed');
    else if (isDenial(known)) log.info({ ...facts, code: known.code }, 'request denied');
    const refusal =
      known ?? new AuthRefusal(500, 'unexpected_failure', 'Something went wrong. Please try again.');
    const { retryAfterSeconds } = refusal.extra;
    if (retryAfterSeconds) c.header('retry-after', String(retryAfterSeconds));
    return c.json(refusal.toBody(), refusal.status);
  });

  app.post('/signup', async (c) => {
    const { email, password, data } = await readBody(c, authRequests.signUp, refuseOtherSignUps);
    await refuseWeakPassword(db, password, [email, data?.full_name]);
    const ipAddress = c.get('ipAddress');
    await limiter.countSignUp(email, ipAddress);
    const fullName = data?.full_name || null;
    const redirectTo = checkRedirect(c.req.query('redirect_to'));
    await signUp(db, { email, password, fullName, redirectTo, ipAddress });
    return c.json(describeApplicant(email, fullName));
  });

  app.post('/token', async (c) => {
    const grant = c.req.query('grant_type');
    if (grant === 'password') {
      const { email, password } = await readBody(c, authRequests.password, refusePhoneSignIn);
      const ipAddress = c.get('ipAddress');
      const { user, isFamiliar } = await findSignIn(db, email, ipAddress);
      const attempt = () => signIn(db, user, password, readDevice(c));
      return answerSession(c, await limiter.countSignIn({ email, ipAddress, isFamiliar }, attempt));
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
    throw refuseGrant(grant);
  });

  app.post('/resend', async (c) => {
    const { email } = await readBody(c, authRequests.resend);
    await limiter.countResend(email, c.get('ipAddress'));
    const redirectTo = checkRedirect(c.req.query('redirect_to'));
    await enqueue(db, 'auth.verification-requested', { email, redirectTo });
    return c.json({});
  });

  app.post('/recover', async (c) => {
    const { email } = await readBody(c, authRequests.recover);
    await limiter.countRecovery(email, c.get('ipAddress'));
    const redirectTo = checkRedirect(c.req.query('redirect_to'), '/reset-password');
    await enqueue(db, 'auth.recovery-requested', { email, redirectTo });
    return c.json({});
  });

  // GoTrue verifies on GET. Email scanners open links too, so this call only redirects to a page with a verify button.
  app.get('/verify', (c) => {
    const { token_hash: tokenHash, token = tokenHash ?? '' } = c.req.query();
    const type = linkTypes.find((known) => known === c.req.query('type')) ?? 'signup';
    const redirectTo = checkRedirect(
      c.req.query('redirect_to'),
      type === 'recovery' ? '/reset-password' : '/',
    );
    c.header('referrer-policy', 'no-referrer');
    return c.redirect(config.publicUrl + composeEmailLink({ type, token, redirectTo }), 303);
  });

  app.post('/verify', async (c) => {
    const { token_hash: token, type } = await readBody(c, authRequests.verify, refuseTypedCode);
    if (type === 'email_change') {
      const outcome = await confirmEmailChange(db, token);
      return c.json({ code: 200, msg: emailChangeMessages[outcome] });
    }
    const open = type === 'recovery' ? openRecovery : verifySignUp;
    return answerSession(c, await open(db, token, readDevice(c)));
  });

  serveDisabled(app, callers);
  serveFactors(app, { db, config }, { callers, limiter, answerSession });

  app.get('/user', async (c) => answerUser(c, (await authenticate(c)).user));

  app.put('/user', async (c) => {
    const { user, userId, sessionId } = await authenticateFully(c);
    const given = await readBody(c, authRequests.updateUser, refusePhoneNumber);
    const { password, email } = given;
    const fullName = given.data?.full_name;
    if (password !== undefined) await refuseWeakPassword(db, password, [user.email, user.fullName]);
    const proof = readProof(given);
    if (proof) await proveIdentity({ db, config, limiter }, { userId, sessionId }, proof);
    if (email !== undefined && email !== user.email) {
      await callers.authenticateConfirmed(c);
      await limiter.countEmailChange(userId, c.get('ipAddress'), email);
      await requestEmailChange(db, userId, email);
    }
    let changed: User = user;
    if (password !== undefined) {
      await limiter.countPasswordChange(sessionId);
      const isProved = proof !== null;
      changed = await changePassword(db, { user, sessionId, password, isProved });
    }
    if (fullName) changed = await updateName(db, userId, fullName);
    return answerUser(c, changed);
  });

  app.post('/logout', async (c) => {
    const session = await authenticate(c);
    const scope = authRequests.scope.safeParse(c.req.query('scope') ?? 'global');
    if (!scope.success) {
      throw new AuthRefusal(400, 'validation_failed', 'scope must be global, local or others.');
    }
    // Otherwise anyone who knows only the password could keep signing the owner out.
    if (scope.data !== 'local') await authenticateFully(c);
    await signOutRecorded(db, session, scope.data);
    return c.body(null, 204);
  });

  app.get('/.well-known/jwks.json', (c) => {
    c.header('cache-control', 'public, max-age=600');
    return c.json(tokens.keySet);
  });

  app.get('/health', (c) => c.json({ name: 'Accounts', description: 'Sign-up, sign-in and sessions' }));

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

  refuseOtherMethods(app);
  app.all('*', () => {
    throw new AuthRefusal(404, 'not_found', "There's nothing at this URL.");
  });

  return app;
}

/** Makes every URL registered so far respond to unsupported methods with 405. */
function refuseOtherMethods(app: Hono<{ Variables: Variables }>): void {
  const served = app.routes.filter(({ method }) => method !== 'ALL');
  for (const path of new Set(served.map((route) => route.path))) {
    const methods = served.filter((route) => route.path === path).map(({ method }) => method);
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
    app.all(path, (c) => {
      c.header('allow', allow);
      throw new AuthRefusal(405, 'validation_failed', `This URL accepts only ${methods.join(', ')}.`);
    });
  }
}

/** Whether to log a refusal: a large number of such refusals suggests an attack. */
const isDenial = ({ status, code }: AuthRefusal) =>
  [401, 403, 429].includes(status) || failedProofs.includes(code);

const failedProofs = [
  'invalid_credentials',
  'current_password_invalid',
  'reauthentication_not_valid',
  'mfa_verification_failed',
];

/**
 * Reads the proof of identity: the current password, or an authenticator code in the field that GoTrue uses for the
 * nonce of its `reauthenticate`.
 */
function readProof({
  current_password: password,
  nonce,
}: {
  current_password?: string | undefined;
  nonce?: string | undefined;
}): IdentityProof | null {
  if (password !== undefined) return { proofKind: 'password', proof: password };
  return nonce ? { proofKind: 'code', proof: nonce } : null;
}

/** `waiting` is the message that GoTrue itself returns after the first of the two links is confirmed. */
const emailChangeMessages = {
  waiting: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  changed: 'Email address changed',
};

const readDevice = (c: AuthContext): Device => ({
  userAgent: c.req.header('user-agent') ?? '',
  ipAddress: c.get('ipAddress'),
});
