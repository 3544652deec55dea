import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, instant } from '../fields.ts';

export const openedSession = z
  .object({
    sessionId: z.uuid(),
    device: z.string().meta({ examples: ['Chrome on Windows'] }),
    signedInAt: instant,
    lastSeenAt: instant.describe('When its tokens were last renewed. Tokens are renewed hourly.'),
    isCurrent: z.boolean(),
    isCodeAwaited: z
      .boolean()
      .describe("The password was right, but the authenticator app's code is still missing."),
  })
  .meta({
    id: 'OpenedSession',
    description: "A browser that is signed in, or still has to send the authenticator app's code.",
  });
export type OpenedSession = z.output<typeof openedSession>;

export const identityProof = z
  .object({
    proofKind: z.enum(['password', 'code']),
    proof: z
      .string('Enter your password.')
      .min(1, 'Enter your password.')
      .max(1000, "The password or code can't be longer than 1,000 characters.")
      .meta({ description: 'The password or the code.', examples: ['correct-horse-battery'] }),
  })
  .meta({
    id: 'IdentityProof',
    description: "A fresh proof of identity: the current password or the authenticator app's code.",
  });
export type IdentityProof = z.output<typeof identityProof>;

export const authApi = {
  listSessions: endpoint({
    method: 'GET',
    path: '/api/account/sessions',
    operationId: 'list_sessions',
    gate: 'signedIn',
    summary: 'List my sessions',
    description:
      'The browsers in which the person has signed in: the current one first, then the most recently seen.',
    input: z.object({}),
    output: z.object({ sessions: z.array(openedSession) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/account/sessions/:sessionId',
    operationId: 'end_session',
    gate: 'signedIn',
    summary: 'End one of my sessions',
    description: "Immediately signs out one of the person's own browsers.",
    input: z.object({ sessionId: z.uuid().describe('The session to end.') }),
    output: z.object({}),
  }),
  cancelEmailChange: endpoint({
    method: 'DELETE',
    path: '/api/account/email-change',
    operationId: 'cancel_email_change',
    gate: 'signedIn',
    summary: 'Cancel a change of email address',
    description:
      'Cancels a change of email address that has not been confirmed yet; does nothing if there is none.',
    input: z.object({}),
    output: z.object({}),
  }),
  getRecoveryCodes: endpoint({
    method: 'GET',
    path: '/api/account/recovery-codes',
    operationId: 'get_recovery_codes',
    gate: 'signedIn',
    summary: 'Count the recovery codes',
    description:
      'How many recovery codes are left. The codes themselves are shown once, when they are created.',
    input: z.object({}),
    output: z.object({
      left: count.describe('Unused codes.'),
      madeAt: instant.nullable().describe('When the codes were created; null if there are none.'),
    }),
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/account/recovery-codes',
    operationId: 'make_recovery_codes',
    gate: 'signedIn',
    summary: 'Create recovery codes',
    description:
      'Creates ten recovery codes, which replace the earlier codes. Only this response contains them.',
    refusals: ['conflict', 'too_many_requests', 'confirmation_required'],
    input: z.object({
      code: z
        .string('Enter the 6 digits your authenticator app shows.')
        .trim()
        .regex(/^\d{6}$/, 'Enter the 6 digits your authenticator app shows.')
        .optional()
        .meta({
          description:
            "The authenticator app's code; can be omitted for the first codes, within 15 minutes of setting up the app.",
          examples: ['123456'],
        }),
    }),
    output: z.object({ codes: z.array(z.string().meta({ examples: ['k3m9-p2qx-7t4w-h8cd-2n6r-v5jz'] })) }),
  }),
};
