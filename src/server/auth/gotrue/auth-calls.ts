import { z } from 'zod';
import type { DescribedCall } from '#server/platform/openapi/describe-api.ts';
import type { AuthErrorCode, AuthRefusal } from './auth-refusal.ts';
import { authRequests } from './auth-requests.ts';

export type AuthCodes = Partial<Record<AuthRefusal['status'], AuthErrorCode[]>>;
export type AuthCall = Pick<DescribedCall, 'operationId' | 'summary' | 'description'> & {
  gate: 'public' | 'signedIn';
  body?: z.ZodType;
  query?: z.ZodObject;
  /** Schema of the 200 response; `nothing` for 204, `redirect` for 303. */
  answer: z.ZodType | 'nothing' | 'redirect';
  /** Error codes by status, in addition to those that follow from the request body and the gate. */
  refusals?: AuthCodes;
};

const instant = z.iso.datetime();
export const appId = z.uuid().describe("The authenticator app's id.");
const factor = z
  .object({
    id: appId,
    factor_type: z.literal('totp'),
    status: z.enum(['unverified', 'verified']),
    friendly_name: z
      .string()
      .optional()
      .meta({ examples: ['Phone'] }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'AuthFactor', description: 'An authenticator app.' });
const user = z
  .looseObject({
    id: z.uuid(),
    email: z.email(),
    email_confirmed_at: instant.optional(),
    last_sign_in_at: instant.optional(),
    new_email: z.email().optional().describe('The new address, until it is confirmed.'),
    user_metadata: z.looseObject({
      full_name: z
        .string()
        .optional()
        .meta({ examples: ['Alex Morgan'] }),
    }),
    factors: z.array(factor).optional(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({
    id: 'AuthUser',
    description: "The user fields that auth-js reads; GoTrue's users have more fields.",
  });
const session = z
  .object({
    access_token: z
      .string()
      .meta({ description: 'A JWT.', examples: ['eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'] }),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'In seconds.', examples: [3600] }),
    expires_at: z.int().meta({ description: 'Unix time, in seconds.', examples: [1_806_220_800] }),
    refresh_token: z.string().meta({ description: 'Can be used once.', examples: ['q0YlPKxo2mWc'] }),
    user,
  })
  .meta({
    id: 'AuthSession',
    description: 'A session: its access token and the refresh token that renews it.',
  });
const redirect = z.object({
  redirect_to: z
    .url()
    .optional()
    .describe('The page of this site to go to afterwards; other sites are ignored.'),
});

/** Every `/auth/v1` call that can succeed, keyed by its method and path in the GoTrue-compatible server. */
export const authCalls: Record<string, AuthCall> = {
  'POST /signup': {
    operationId: 'auth_sign_up',
    summary: 'Sign up',
    description:
      'Creates an account and emails a link that confirms the address. The response is the same for an address that already has an account.',
    gate: 'public',
    query: redirect,
    body: authRequests.signUp,
    answer: user,
    refusals: {
      422: ['weak_password', 'anonymous_provider_disabled'],
      429: ['over_request_rate_limit', 'over_email_send_rate_limit'],
    },
  },
  'POST /token': {
    operationId: 'auth_token',
    summary: 'Get an access token',
    description:
      'Signs in with email and password, or renews a session with its refresh token, which can be used once. The access token is valid for an hour.',
    gate: 'public',
    query: z.object({
      grant_type: z.enum(['password', 'refresh_token']).describe('Which of the two request bodies is sent.'),
    }),
    body: z.union([authRequests.password, authRequests.refresh]),
    answer: session,
    refusals: {
      400: [
        'invalid_credentials',
        'email_not_confirmed',
        'refresh_token_not_found',
        'refresh_token_already_used',
        'phone_provider_disabled',
        'provider_disabled',
      ],
      422: ['web3_provider_disabled'],
      429: ['over_request_rate_limit'],
    },
  },
  'POST /resend': {
    operationId: 'auth_resend',
    summary: 'Send the sign-up link again',
    description:
      'Emails a new link if the account is still unconfirmed. The response is the same for every address.',
    gate: 'public',
    query: redirect,
    body: authRequests.resend,
    answer: z.object({}),
    refusals: { 429: ['over_request_rate_limit', 'over_email_send_rate_limit'] },
  },
  'POST /recover': {
    operationId: 'auth_recover',
    summary: 'Ask for a new password',
    description:
      'Emails a link to choose a new password if the address has an account. The response is the same for every address.',
    gate: 'public',
    query: redirect,
    body: authRequests.recover,
    answer: z.object({}),
    refusals: { 429: ['over_request_rate_limit', 'over_email_send_rate_limit'] },
  },
  'GET /verify': {
    operationId: 'auth_open_link',
    summary: 'Open a link from an email',
    description: 'Redirects to the page whose button uses the link. Opening the link changes nothing.',
    gate: 'public',
    query: redirect.extend({
      token: z.string().meta({ description: 'The token from the email.', examples: ['pkRr0J5mYk8w'] }),
      type: z.enum(['signup', 'recovery', 'email_change']).describe('The purpose of the link.'),
    }),
    answer: 'redirect',
  },
  'POST /verify': {
    operationId: 'auth_verify',
    summary: 'Use a link from an email',
    description:
      'Opens a session, or confirms one of the two addresses of an email change. A link that opens a session can be used once.',
    gate: 'public',
    body: authRequests.verify,
    answer: z.union([
      session,
      z.object({ code: z.literal(200), msg: z.string().meta({ examples: ['Email address changed'] }) }),
    ]),
    refusals: { 403: ['otp_expired'], 422: ['user_already_exists', 'email_exists'] },
  },
  'GET /user': {
    operationId: 'auth_get_user',
    summary: 'Get the signed-in user',
    description: 'Returns the user the access token belongs to.',
    gate: 'signedIn',
    answer: user,
  },
  'PUT /user': {
    operationId: 'auth_update_user',
    summary: 'Change name, password or email address',
    description:
      'A new password requires the current one or, as `nonce`, an authenticator code; a session opened from a recovery email within the last hour needs neither. A new address takes effect after both addresses have confirmed the change.',
    gate: 'signedIn',
    body: authRequests.updateUser,
    answer: user,
    refusals: {
      400: ['current_password_required', 'current_password_invalid', 'phone_provider_disabled'],
      401: ['insufficient_aal', 'reauthentication_needed'],
      422: ['weak_password', 'same_password', 'reauthentication_not_valid', 'email_exists'],
      429: ['over_request_rate_limit', 'over_email_send_rate_limit'],
    },
  },
  'POST /logout': {
    operationId: 'auth_sign_out',
    summary: 'Sign out',
    description: 'Ends the current session, all other sessions or all sessions.',
    gate: 'signedIn',
    query: z.object({
      scope: authRequests.scope
        .default('global')
        .describe('`local`: this session; `others`: all others; `global`: all.'),
    }),
    answer: 'nothing',
    refusals: { 400: ['validation_failed'], 401: ['insufficient_aal'] },
  },
  'POST /factors': {
    operationId: 'auth_enroll_factor',
    summary: 'Add an authenticator app',
    description:
      "Returns the app's secret as text and as a QR code. A code from the app completes the setup.",
    gate: 'signedIn',
    body: authRequests.enroll,
    answer: z.object({
      id: appId,
      type: z.literal('totp'),
      friendly_name: z
        .string()
        .optional()
        .meta({ examples: ['Phone'] }),
      totp: z.object({
        qr_code: z.string().meta({ description: 'An SVG image.', examples: ['<svg></svg>'] }),
        secret: z.string().meta({ examples: ['JBSWY3DPEHPK3PXP'] }),
        uri: z.string().meta({ examples: ['otpauth://totp/alex@example.org?secret=JBSWY3DPEHPK3PXP'] }),
      }),
    }),
    refusals: {
      401: ['insufficient_aal', 'reauthentication_needed'],
      403: ['too_many_enrolled_mfa_factors'],
      422: ['mfa_phone_enroll_not_enabled', 'mfa_webauthn_enroll_not_enabled'],
    },
  },
  'POST /factors/:factorId/challenge': {
    operationId: 'auth_challenge_factor',
    summary: 'Create a challenge',
    description: "Creates a challenge to be answered with the authenticator app's code.",
    gate: 'signedIn',
    answer: z.object({
      id: z.uuid().describe("The challenge's id."),
      type: z.literal('totp'),
      expires_at: z.int().meta({ description: 'Unix time, in seconds.', examples: [1_806_220_800] }),
    }),
    refusals: { 404: ['mfa_factor_not_found'] },
  },
  'POST /factors/:factorId/verify': {
    operationId: 'auth_verify_factor',
    summary: 'Verify a code',
    description:
      "Accepts the app's code or, once the app is set up, a recovery code. This completes the session's second step and, for a new app, its setup.",
    gate: 'signedIn',
    body: authRequests.code,
    answer: session,
    refusals: {
      404: ['mfa_factor_not_found'],
      422: ['mfa_challenge_expired', 'mfa_verification_failed'],
      429: ['over_request_rate_limit'],
    },
  },
  'DELETE /factors/:factorId': {
    operationId: 'auth_remove_factor',
    summary: 'Remove an authenticator app',
    description: 'Removes the app and emails the person. Signing in then requires only the password.',
    gate: 'signedIn',
    answer: z.object({ id: appId }),
    refusals: { 401: ['insufficient_aal', 'reauthentication_needed'], 404: ['mfa_factor_not_found'] },
  },
  'GET /.well-known/jwks.json': {
    operationId: 'auth_key_set',
    summary: 'Get the public keys',
    description: 'The keys that verify access tokens (a JWK set).',
    gate: 'public',
    answer: z.object({
      keys: z.array(
        z.looseObject({
          kty: z.string().meta({ examples: ['EC'] }),
          kid: z.string().meta({ examples: ['k1'] }),
        }),
      ),
    }),
  },
  'GET /health': {
    operationId: 'auth_health',
    summary: 'Check the accounts server',
    description: 'Responds while the process is running.',
    gate: 'public',
    answer: z.object({
      name: z.string().meta({ examples: ['Accounts'] }),
      description: z.string().meta({ examples: ['Sign-up, sign-in and sessions'] }),
    }),
  },
  'GET /settings': {
    operationId: 'auth_settings',
    summary: 'Get the sign-in methods',
    description: "Lists which of GoTrue's sign-in methods are enabled.",
    gate: 'public',
    answer: z.looseObject({
      external: z.record(z.string(), z.boolean()).meta({ examples: [{ email: true, phone: false }] }),
      disable_signup: z.boolean(),
    }),
  },
};
