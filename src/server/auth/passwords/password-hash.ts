import { hash, verify } from '@node-rs/argon2';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';

// OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 passes, 1 lane.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random password that nobody knows. A check against this hash takes as long as any other check. */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$nQmtPUrZLB33893TGQLMCg$yen8xgqUP88Rpn1T2UUcHzzeHzQvvTATADsMVkPTiUw';

const atOnce = 2;
const waitingLimit = 200;
// Maximum queued calls per IP address or person, so that no single caller can fill the shared queue.
const waitingLimitEach = 30;
let running = 0;
const waiting: { who: string; go: () => void }[] = [];

/**
 * Runs `work`, at most two calls at a time, because hashing takes 19 MiB and a core for tens of milliseconds. Further
 * calls wait in a bounded queue; calls that do not fit in the queue are refused.
 */
async function inTurn<T>(who: string, work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    const own = waiting.filter((other) => other.who === who).length;
    if (waiting.length >= waitingLimit || own >= waitingLimitEach) {
      // Not 503: auth-js discards the message of a 503 and retries immediately.
      throw new AuthRefusal(
        429,
        'over_request_rate_limit',
        "We're very busy right now. Please try again in a moment.",
        { retryAfterSeconds: 2 },
      );
    }
    await new Promise<void>((go) => waiting.push({ who, go }));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next.go();
    else running -= 1;
  }
}

// Different keyboards may compose the same characters differently (RFC 8265, section 4.2).
const normalise = (password: string) => password.normalize('NFC');

/**
 * The Argon2id hash in PHC format. Throws {@link AuthRefusal} (429) if too many calls are already queued, in total or
 * for `who`: a visitor's IP address or a signed-in person's id.
 */
export function hashPassword(password: string, who: string): Promise<string> {
  return inTurn(who, () => hash(normalise(password), options));
}

/**
 * Whether the password matches. Without a hash (unknown email address), returns false after the same work. `who` and
 * the refusal are as for {@link hashPassword}.
 */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
  who: string,
): Promise<boolean> {
  const isMatch = await inTurn(who, () => verify(passwordHash ?? dummyHash, normalise(password)));
  return isMatch && passwordHash !== undefined;
}
