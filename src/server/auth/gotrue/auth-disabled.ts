import type { Hono } from 'hono';
import type { Variables } from '#server/platform/http/http.ts';
import type { AuthCallers } from './auth-callers.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { readObject, refusePkce } from './auth-requests.ts';

type Given = Record<string, unknown>;

const refusePhone = () =>
  new AuthRefusal(400, 'phone_provider_disabled', 'Phone numbers are disabled: use an email address.');

const refuseEmailedCodes = () =>
  new AuthRefusal(422, 'otp_disabled', 'Signing in with emailed links or codes is disabled: use a password.');

const refuseLinking = () => new AuthRefusal(404, 'manual_linking_disabled', 'Manual linking is disabled.');

/** Throws for ways of signing up that GoTrue supports but this server does not: by phone number or anonymously. */
export function refuseOtherSignUps({ email, phone, password }: Given): void {
  if (email) return;
  if (phone) throw refusePhone();
  if (email === undefined && password === undefined) {
    throw new AuthRefusal(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled.');
  }
}

export function refusePhoneSignIn({ email, phone }: Given): void {
  if (phone && !email) throw refusePhone();
}

export function refusePhoneNumber({ phone }: Given): void {
  if (phone) throw refusePhone();
}

/** Throws for a code typed from an email or SMS: our emails contain only links, and we send no SMS for sign-in. */
export function refuseTypedCode({ token, token_hash: tokenHash }: Given): void {
  if (token && !tokenHash) throw new AuthRefusal(403, 'otp_expired', 'Token has expired or is invalid.');
}

/** Throws for the second factors that GoTrue supports but this server does not: phone and WebAuthn. */
export function refuseOtherFactors({ factor_type: type }: Given): void {
  if (type !== 'phone' && type !== 'webauthn') return;
  const code = type === 'phone' ? 'mfa_phone_enroll_not_enabled' : 'mfa_webauthn_enroll_not_enabled';
  throw new AuthRefusal(422, code, 'Only authenticator apps can be added.');
}

/** The refusal of a `/token` grant type other than `password` and `refresh_token`. */
export function refuseGrant(grant: string | undefined): AuthRefusal {
  if (grant === 'id_token') {
    return new AuthRefusal(400, 'provider_disabled', 'Signing in with this provider is not enabled.');
  }
  if (grant === 'web3') return new AuthRefusal(422, 'web3_provider_disabled', 'Web3 provider is disabled.');
  if (grant === 'pkce') return refusePkce();
  return new AuthRefusal(400, 'validation_failed', 'grant_type must be password or refresh_token.');
}

/** Serves GoTrue's endpoints for disabled features, so that auth-js gets GoTrue's own error code for each. */
export function serveDisabled(
  app: Hono<{ Variables: Variables }>,
  { authenticateFully }: Pick<AuthCallers, 'authenticateFully'>,
): void {
  for (const path of ['/otp', '/magiclink']) {
    app.post(path, async (c) => {
      const { email, phone } = await readObject(c);
      throw phone && !email ? refusePhone() : refuseEmailedCodes();
    });
  }
  app.post('/sso', () => {
    throw new AuthRefusal(404, 'saml_provider_disabled', 'SAML 2.0 is disabled.');
  });
  app.get('/authorize', () => {
    throw new AuthRefusal(400, 'provider_disabled', 'Unsupported provider: provider is not enabled.');
  });
  app.get('/reauthenticate', async (c) => {
    await authenticateFully(c);
    throw new AuthRefusal(
      422,
      'otp_disabled',
      "No codes are emailed: send current_password, or an authenticator app's code as nonce.",
    );
  });
  app.get('/user/identities/authorize', async (c) => {
    await authenticateFully(c);
    throw refuseLinking();
  });
  app.delete('/user/identities/:identityId', async (c) => {
    await authenticateFully(c);
    throw refuseLinking();
  });
}
