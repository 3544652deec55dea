import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * A browser that is signed in. Instants in UTC; `lastSeenAt` is when it last renewed its token, which it does hourly.
 */
export const openedSession = z.object({
  sessionId: z.uuid(),
  /** As text, such as "Chrome on Windows". */
  device: z.string(),
  signedInAt: z.string(),
  lastSeenAt: z.string(),
  isCurrent: z.boolean(),
  /** The password was right, but the authenticator app's code is still missing. */
  isCodeAwaited: z.boolean(),
});
export type OpenedSession = z.output<typeof openedSession>;

/** A fresh proof of identity: the current password or the authenticator app's code. */
export const identityProof = z.object({
  proofKind: z.enum(['password', 'code']),
  proof: z
    .string('Enter your password.')
    .min(1, 'Enter your password.')
    .max(1000, 'A password has at most 200 characters.'),
});
export type IdentityProof = z.output<typeof identityProof>;

export const authApi = {
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
      /** The authenticator app's code; omitted right after the app was set up. */
      code: z
        .string('Enter the 6 digits your authenticator app shows.')
        .trim()
        .regex(/^\d{6}$/, 'Enter the 6 digits your authenticator app shows.')
        .optional(),
    }),
    output: z.object({ codes: z.array(z.string()) }),
    summary: 'Makes ten recovery codes, which replace the ones before; this answer alone has them.',
  }),
};
