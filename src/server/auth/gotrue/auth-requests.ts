import type { Context } from 'hono';
import { z } from 'zod';
import { oneLine } from '#domain/text.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { readText } from '#server/platform/http/read-body.ts';
import { signOutScopes } from '../sessions/sign-out.ts';
import { readRecoveryCode } from '../two-step/recovery-codes.ts';
import { AuthRefusal } from './auth-refusal.ts';

export type AuthContext = Context<{ Variables: Variables }>;

/** An email address, normalised as it is stored and looked up. */
const email = z
  .string('Enter your email address.')
  .trim()
  .toLowerCase()
  .pipe(
    z
      .email('Enter an email address such as name@example.org.')
      .max(254, "An email address can't be longer than 254 characters."),
  )
  .meta({ examples: ['alex@example.org'] });
const password = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .meta({ examples: ['correct-horse-battery'] });
const fullName = oneLine('A name must be text.')
  .max(200, "A name can't be longer than 200 characters.")
  .meta({ examples: ['Alex Morgan'] });
const token = z
  .string('The token is missing.')
  .min(1, 'The token is missing.')
  .max(1000, "This token isn't valid.")
  .meta({ examples: ['q0YlPKxo2mWc'] });

/** The error for user data other than `full_name`, which is the only field stored. */
const explainData = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `A person's data can contain only full_name, not ${issue.keys.join(', ').slice(0, 200)}.`
      : "A person's data must be an object.",
};

/** The parts of auth-js 2.103.1's requests that this server accepts; other fields of a body are ignored. */
export const authRequests = {
  signUp: z.object({
    email,
    password,
    data: z.strictObject({ full_name: fullName.nullish() }, explainData).nullish(),
  }),
  password: z.object({ email, password }),
  refresh: z.object({ refresh_token: token }),
  resend: z.object({
    email,
    type: z.literal('signup', 'The type must be signup: only a sign-up link can be sent again.'),
  }),
  recover: z.object({ email }),
  verify: z.object({
    token_hash: token,
    type: z.enum(
      ['signup', 'email', 'recovery', 'email_change'],
      "The link's type must be signup, email, recovery or email_change.",
    ),
  }),
  updateUser: z.object({
    email: email.optional(),
    password: password.optional(),
    current_password: z
      .string('Enter your current password.')
      .min(1, 'Enter your current password.')
      .optional()
      .meta({ examples: ['correct-horse-battery'] }),
    nonce: z
      .string('Enter the code.')
      .max(20, 'Enter the code.')
      .optional()
      .meta({
        description: "An authenticator app's code, instead of the current password.",
        examples: ['123456'],
      }),
    phone: z.undefined('Phone numbers are disabled.').optional(),
    data: z
      .strictObject({ full_name: fullName.min(1, 'Enter your name.').optional() }, explainData)
      .nullish(),
  }),
  enroll: z.object({
    factor_type: z.literal('totp', 'The factor_type must be totp: only authenticator apps can be added.'),
    friendly_name: fullName
      .max(100, "A name can't be longer than 100 characters.")
      .nullish()
      .meta({ examples: ['Phone'] }),
  }),
  code: z.object({
    challenge_id: z.uuid("This challenge isn't valid."),
    code: z
      .string('Enter the code.')
      .trim()
      .refine(
        (typed) => /^\d{6}$/.test(typed) || readRecoveryCode(typed) !== null,
        'Enter the 6-digit code or a complete recovery code.',
      )
      .meta({ examples: ['123456'] }),
  }),
  factorId: z.uuid(),
  scope: z.enum(signOutScopes),
};

/**
 * Reads a JSON body of at most 64 kB. `refuse` receives the parsed body before validation and may throw the error that
 * GoTrue would return at that point. Throws {@link AuthRefusal} with the first problem found.
 */
export async function readBody<T extends z.ZodType>(
  c: AuthContext,
  schema: T,
  refuse: (given: Record<string, unknown>) => void = () => {},
): Promise<z.output<T>> {
  const value = await readObject(c);
  refuse(value);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? 'Please check your entries.';
  throw new AuthRefusal(400, 'validation_failed', message);
}

/**
 * Reads a JSON object of at most 64 kB. Throws {@link AuthRefusal} for a PKCE request and for anything but a JSON
 * object sent as JSON; throws `payload_too_large` for a larger body.
 */
export async function readObject(c: AuthContext): Promise<Record<string, unknown>> {
  const text = await readText(c.req.raw);
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) {
    throw new AuthRefusal(415, 'bad_json', 'Send this as JSON (Content-Type: application/json).');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AuthRefusal(400, 'bad_json', 'The body is not well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AuthRefusal(400, 'bad_json', 'The body must be a JSON object.');
  }
  const given = value as Record<string, unknown>;
  // A client that requested PKCE would wait for a code that is never sent.
  if (given.code_challenge != null || given.code_challenge_method != null) throw refusePkce();
  return given;
}

/** The refusal of PKCE, which auth-js requests with `flowType: 'pkce'`. */
export const refusePkce = () =>
  new AuthRefusal(
    400,
    'validation_failed',
    "PKCE is not supported: leave code_challenge out, as flowType 'implicit' does.",
  );
