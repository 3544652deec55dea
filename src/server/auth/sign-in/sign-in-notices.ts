import { sql } from 'kysely';
import { describeDevice } from '#domain/auth/device-name.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeNewDeviceMessage, composeWrongCodeMessage } from '#server/notifications/templates/sign-in.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { consume, keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { readBrand } from '#server/settings/queries.ts';
import type { User } from '../queries.ts';

/** Limits on each kind of notice per account, so that someone who knows the password cannot flood the owner's inbox. */
const noticeLimits = {
  newDevice: { calls: 5, seconds: 24 * 60 * 60 },
  wrongCode: { calls: 1, seconds: 60 * 60 },
};

/** Milliseconds after confirmation during which an account counts as new: its first sign-in causes no notice. */
const newAccountMs = 24 * 60 * 60_000;

/**
 * Emails the owner of an account about a completed sign-in from a browser or network that the account has not
 * used in the last 90 days, and audits the sign-in, at most five times a day. Does nothing for the first
 * sign-in of a new account. No cookie identifies the device, so the device is recognised by its browser,
 * operating system and network.
 */
export async function noteSignIn(tx: Tx, user: User, sessionId: string): Promise<void> {
  const sessions = await tx
    .selectFrom('sessions')
    .select(['sessionId', 'userAgent', 'ipAddress', 'createdAt', 'secondStepAt'])
    .where('userId', '=', user.userId)
    .where('createdAt', '>', sql<string>`now() - interval '90 days'`)
    .orderBy('createdAt', 'desc')
    .limit(200)
    .execute();
  const current = sessions.find((session) => session.sessionId === sessionId);
  if (!current) return;
  // If authenticator codes are required, a session without a code proves only that someone knew the password.
  const earlier = sessions.filter(
    (session) => session !== current && (!current.secondStepAt || session.secondStepAt),
  );
  const isNewAccount = Date.now() - Date.parse(user.emailConfirmedAt ?? user.createdAt) < newAccountMs;
  if (earlier.length === 0 && isNewAccount) return;
  const device = describeDevice(current.userAgent ?? '');
  const network = keyOfAddress('', current.ipAddress ?? '');
  const isKnown =
    earlier.some(({ userAgent }) => describeDevice(userAgent ?? '') === device) &&
    earlier.some(({ ipAddress }) => keyOfAddress('', ipAddress ?? '') === network);
  if (isKnown || (await consume(tx, `new-device:${user.userId}`, noticeLimits.newDevice)) !== null) return;
  await recordAudit(
    tx,
    { system: 'sign-in' },
    { action: 'sign_in.new_device', subjectType: 'profile', subjectId: user.userId, after: { device } },
  );
  await sendEmail(
    tx,
    user.email,
    composeNewDeviceMessage({
      device,
      ipAddress: current.ipAddress ?? '',
      at: current.createdAt,
      brand: await readBrand(tx),
    }),
  );
}

/**
 * Emails the owner of an account about an attempt with the correct password but a wrong authenticator code, and audits
 * the attempt, at most once an hour.
 */
export function noteWrongCode(db: Database, user: User): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if ((await consume(tx, `wrong-code:${user.userId}`, noticeLimits.wrongCode)) !== null) return;
    await recordAudit(
      tx,
      { system: 'sign-in' },
      { action: 'sign_in.wrong_code', subjectType: 'profile', subjectId: user.userId },
    );
    await sendEmail(tx, user.email, composeWrongCodeMessage({ brand: await readBrand(tx) }));
  });
}
