import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const push = z
  .object({
    publicKey: z
      .string()
      .nullable()
      .meta({
        description: 'The public VAPID key with which browsers subscribe; null if push is not set up.',
        examples: ['BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo'],
      }),
    isOn: z.boolean().describe("Whether the browser of the caller's session gets push notifications."),
  })
  .meta({ id: 'Push' });
export type Push = z.output<typeof push>;

/** A base64url text that encodes this many bytes, with or without padding. */
const bytesOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), "This isn't a valid push key.");

export const pushApi = {
  getPush: endpoint({
    method: 'GET',
    path: '/api/push-subscription',
    operationId: 'get_push',
    gate: 'signedIn',
    summary: 'Check whether this browser gets push notifications',
    description: "Whether the browser of the caller's session is subscribed, and the key to subscribe with.",
    input: z.object({}),
    output: z.object({ push }),
  }),
  subscribe: endpoint({
    method: 'PUT',
    path: '/api/push-subscription',
    operationId: 'subscribe_to_push',
    gate: 'signedIn',
    summary: 'Turn push notifications on in this browser',
    description:
      "Stores the browser's subscription (W3C Push API) with the caller's session and replaces the session's earlier subscription. The subscription is deleted when the session ends, or when the push service no longer knows it.",
    input: z.object({
      endpoint: z
        .string()
        .max(2_000, 'This address is too long.')
        .meta({
          description: "The URL of the browser's push service: https, with a public host name.",
          examples: ['https://push.example/send/dGhpcyBpcyBhbiBleGFtcGxl'],
        }),
      p256dh: bytesOf(65).meta({
        description: "The browser's public key.",
        examples: ['BB5mNhiOPscmnkculR6f1s2QmYKqkZvmUu0dcPfWGPXmaicDwVjbdW6X9TlJLpiVnpt-a3Ru4Us6EhwCegYXqOA'],
      }),
      auth: bytesOf(16).meta({
        description: "The browser's authentication secret.",
        examples: ['m1CqVJsvb0ZWQV6Wa88sLw'],
      }),
    }),
    output: z.object({ push }),
    refusals: ['unprocessable'],
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/api/push-subscription',
    operationId: 'unsubscribe_from_push',
    gate: 'signedIn',
    summary: 'Turn push notifications off in this browser',
    description: "Deletes the subscription of the caller's session. Other browsers keep theirs.",
    input: z.object({}),
    output: z.object({ push }),
  }),
};
