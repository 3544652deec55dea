import { z } from 'zod';
import {
  type ApiDescription,
  describeParameters,
  type Operation,
  schemaOf,
} from '#server/platform/http/openapi.ts';
import { authRequests } from './auth-requests.ts';

type AuthCall = {
  operationId: string;
  summary: string;
  gate: 'public' | 'signedIn';
  body?: z.ZodType;
  query?: z.ZodObject;
  /** The 200 response; `nothing` for 204, `redirect` for 303; the statuses of calls that are always refused. */
  answer: z.ZodType | 'nothing' | 'redirect' | number[];
};

const instant = z.iso.datetime();
const factor = z.object({
  id: z.uuid(),
  factor_type: z.literal('totp'),
  status: z.enum(['unverified', 'verified']),
  friendly_name: z.string().optional(),
  created_at: instant,
  updated_at: instant,
});
/** What auth-js reads of a user; GoTrue's users have more fields. */
const user = z.looseObject({
  id: z.uuid(),
  email: z.string(),
  email_confirmed_at: instant.optional(),
  last_sign_in_at: instant.optional(),
  new_email: z.string().optional(),
  user_metadata: z.looseObject({ full_name: z.string().optional() }),
  factors: z.array(factor).optional(),
  created_at: instant,
  updated_at: instant,
});
const session = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  expires_at: z.int(),
  refresh_token: z.string(),
  user,
});
const redirect = z.object({ redirect_to: z.url().optional() });

/** Descriptions of every call of `/auth/v1`, by method and path as the GoTrue-compatible server registers it. */
const calls: Record<string, AuthCall> = {
  'POST /signup': {
    operationId: 'auth_sign_up',
    summary:
      'Makes an account; a link in an email confirms it. The answer is the same for an address that has one.',
    gate: 'public',
    query: redirect,
    body: authRequests.signUp,
    answer: user,
  },
  'POST /token': {
    operationId: 'auth_token',
    summary: 'Signs in with a password, or renews a session with its refresh token, which works once.',
    gate: 'public',
    query: z.object({ grant_type: z.enum(['password', 'refresh_token']) }),
    body: z.union([authRequests.password, authRequests.refresh]),
    answer: session,
  },
  'POST /resend': {
    operationId: 'auth_resend',
    summary: "Sends a sign-up's link again.",
    gate: 'public',
    query: redirect,
    body: authRequests.resend,
    answer: z.object({}),
  },
  'POST /recover': {
    operationId: 'auth_recover',
    summary: 'Sends a link with which a new password can be chosen.',
    gate: 'public',
    query: redirect,
    body: authRequests.recover,
    answer: z.object({}),
  },
  'GET /verify': {
    operationId: 'auth_open_link',
    summary: 'Where the links of emails lead: on to the page of the site that uses them.',
    gate: 'public',
    query: redirect.extend({ token: z.string(), type: z.string() }),
    answer: 'redirect',
  },
  'POST /verify': {
    operationId: 'auth_verify',
    summary: "Uses up an email's link: opens a session, or takes one of two steps to a new address.",
    gate: 'public',
    body: authRequests.verify,
    answer: z.union([session, z.object({ code: z.literal(200), msg: z.string() })]),
  },
  'GET /user': {
    operationId: 'auth_get_user',
    summary: 'The user whose access token this is.',
    gate: 'signedIn',
    answer: user,
  },
  'PUT /user': {
    operationId: 'auth_update_user',
    summary: 'Changes name, password or email address; the address changes once it is confirmed.',
    gate: 'signedIn',
    body: authRequests.updateUser,
    answer: user,
  },
  'POST /logout': {
    operationId: 'auth_sign_out',
    summary: 'Ends this session, all others, or all of them.',
    gate: 'signedIn',
    query: z.object({ scope: authRequests.scope.default('global') }),
    answer: 'nothing',
  },
  'POST /factors': {
    operationId: 'auth_enroll_factor',
    summary: 'Begins to add an authenticator app: its secret, as text and as a QR code.',
    gate: 'signedIn',
    body: authRequests.enroll,
    answer: z.object({
      id: z.uuid(),
      type: z.literal('totp'),
      friendly_name: z.string().optional(),
      totp: z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() }),
    }),
  },
  'POST /factors/:factorId/challenge': {
    operationId: 'auth_challenge_factor',
    summary: 'Asks for a code of an authenticator app.',
    gate: 'signedIn',
    answer: z.object({ id: z.uuid(), type: z.literal('totp'), expires_at: z.int() }),
  },
  'POST /factors/:factorId/verify': {
    operationId: 'auth_verify_factor',
    summary: 'Takes the code, or a recovery code: the session has its second step then.',
    gate: 'signedIn',
    body: authRequests.code,
    answer: session,
  },
  'DELETE /factors/:factorId': {
    operationId: 'auth_remove_factor',
    summary: 'Removes an authenticator app.',
    gate: 'signedIn',
    answer: z.object({ id: z.uuid() }),
  },
  'GET /.well-known/jwks.json': {
    operationId: 'auth_key_set',
    summary: 'The public keys that access tokens are checked with (JWK set).',
    gate: 'public',
    answer: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
  },
  'GET /health': {
    operationId: 'auth_health',
    summary: 'Says that the accounts server is there.',
    gate: 'public',
    answer: z.object({ name: z.string(), description: z.string() }),
  },
  'GET /settings': {
    operationId: 'auth_settings',
    summary: 'Which ways of signing in there are.',
    gate: 'public',
    answer: z.looseObject({ external: z.record(z.string(), z.boolean()), disable_signup: z.boolean() }),
  },
};

const disabled = (
  operationId: string,
  what: string,
  refusals: number[],
  gate: AuthCall['gate'] = 'public',
) => ({
  operationId,
  summary: `Refused with GoTrue's own code: ${what}.`,
  gate,
  answer: refusals,
});

const [noLinks, noLinking] = ['nobody signs in by emailed links or codes', 'identities are not linked'];

/** GoTrue features that this server has switched off. */
const disabledCalls: Record<string, AuthCall> = {
  'POST /otp': disabled('auth_send_code', noLinks, [400, 422]),
  'POST /magiclink': disabled('auth_send_link', noLinks, [400, 422]),
  'POST /sso': disabled('auth_single_sign_on', 'single sign-on is off', [404]),
  'GET /authorize': disabled('auth_authorize', 'nobody signs in with another provider', [400]),
  'GET /reauthenticate': disabled('auth_reauthenticate', 'no codes are emailed', [422], 'signedIn'),
  'GET /user/identities/authorize': disabled('auth_link_identity', noLinking, [404], 'signedIn'),
  'DELETE /user/identities/:identityId': disabled('auth_unlink_identity', noLinking, [404], 'signedIn'),
};

const everyCall = new Map(Object.entries({ ...calls, ...disabledCalls }));

/**
 * The OpenAPI description of the accounts server, made from its routes. A route without a description has only its
 * address, which a test refuses.
 */
export function describeAuth(routes: readonly { method: string; path: string }[]): ApiDescription['paths'] {
  const paths: ApiDescription['paths'] = {};
  for (const { method, path } of routes) {
    if (method === 'ALL') continue;
    const address = `/auth/v1${path}`.replace(/:([A-Za-z]+)/g, '{$1}');
    const known = everyCall.get(`${method} ${path}`);
    paths[address] ??= {};
    paths[address][method.toLowerCase()] = describeCall(method, path, known);
  }
  return paths;
}

function describeCall(method: string, path: string, known: AuthCall | undefined): Operation {
  const call = known ?? {
    operationId: `auth ${method} ${path}`.toLowerCase().replace(/\W+/g, '_'),
    summary: '',
    gate: 'public' as const,
    answer: z.unknown(),
  };
  const inPath = [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
  const parameters = [
    ...inPath.map((name) => ({
      name,
      in: 'path' as const,
      required: true,
      schema: schemaOf(z.uuid(), 'input'),
    })),
    ...(call.query ? describeParameters(call.query, 'query') : []),
  ];
  return {
    operationId: call.operationId,
    summary: call.summary,
    'x-gate': call.gate,
    ...(call.gate === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: jsonOf(schemaOf(call.body, 'input')) } } : {}),
    responses: describeResponses(call),
  };
}

const jsonOf = (schema: ReturnType<typeof schemaOf>) => ({ 'application/json': { schema } });

function describeResponses({ answer, gate, body }: AuthCall): Operation['responses'] {
  const refused = jsonOf({ $ref: '#/components/schemas/AuthError' });
  return {
    ...describeAnswer(answer, refused),
    ...(body ? { 400: { description: 'Something is wrong with the body.', content: refused } } : {}),
    ...(gate === 'signedIn'
      ? { 401: { description: 'Nobody is signed in, or the sign-in has ended.', content: refused } }
      : {}),
    default: { description: 'Refused for another reason; `code` is one of auth-js’.', content: refused },
  };
}

function describeAnswer(
  answer: AuthCall['answer'],
  refused: ReturnType<typeof jsonOf>,
): Operation['responses'] {
  if (answer === 'nothing') return { 204: { description: 'Done.' } };
  if (answer === 'redirect') return { 303: { description: 'On to the site.' } };
  if (!Array.isArray(answer))
    return { 200: { description: 'Done.', content: jsonOf(schemaOf(answer, 'output')) } };
  return Object.fromEntries(
    answer.map((status) => [status, { description: 'Switched off here.', content: refused }]),
  );
}
