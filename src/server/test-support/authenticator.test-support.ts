import type { GoTrueClient } from '@supabase/auth-js';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';

/** A new authenticator app as the server returns it. */
export type Factor = { id: string; totp: { secret: string; uri: string; qr_code: string } };

/** The code of an authenticator app, `steps` times 30 seconds from now. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** The next step's code, which the server already accepts. */
export const nextCodeOf = (secret: string) => codeOf(secret, 1);

/** A code that the app doesn't show within a minute before or after now. */
export function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
}

/**
 * Turns on two-step sign-in with the current code, which leaves the next step's code unused. The previous step's code
 * would be refused if the current step ended before the request arrived.
 */
export async function enrol(client: Pick<GoTrueClient, 'mfa'>) {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp' });
  expect(error).toBeNull();
  const { id: factorId, totp } = data as Factor;
  const { error: refused } = await client.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) });
  expect(refused).toBeNull();
  return { factorId, ...totp };
}
