import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { readReturnPath } from './signed-tokens.ts';
import { suppress } from './suppressions.ts';

/** A report about an email that a mail server had accepted. */
export type BounceReport = {
  /** Text that contains the email's return path: the address that the report was sent to, or the whole report. */
  returnPath: string;
  /** `bounced`: a hard bounce. `complained`: reported as spam. `delayed`: any other failure, which changes nothing. */
  event: 'bounced' | 'complained' | 'delayed';
};

/**
 * True if an RFC 3463 status means that the address is unknown or disabled, or takes no email: 5.0, 5.1 and 5.2. False
 * for a full mailbox (5.2.2), a message that is too long (5.2.3), a problem with our own address (5.1.7, 5.1.8) or with
 * a relay (5.1.9), and refusals because of the server, the network, the content or a policy (5.3 to 5.7).
 */
export const isHardBounce = (status: string): boolean =>
  /^5\.[012]\.\d{1,3}$/.test(status) && !/^5\.(2\.[23]|1\.[789])$/.test(status);

/**
 * Reads a delivery status notification (RFC 3464) or a complaint (RFC 5965) as it arrived by email; null for any other
 * email. The first matching field counts, because the report comes before the email that it quotes (RFC 6522), and a
 * coach's announcement may contain any line.
 */
export function readReport(message: string): BounceReport | null {
  const [, complaint, action] = /^(?:Feedback-Type:\s*(abuse)\b|Action:\s*(\w+))/im.exec(message) ?? [];
  if (complaint) return { returnPath: message, event: 'complained' };
  const [, status] = /^Status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(message) ?? [];
  if (!action || !status) return null;
  const isHard = action.toLowerCase() === 'failed' && isHardBounce(status);
  return { returnPath: message, event: isHard ? 'bounced' : 'delayed' };
}

/**
 * Records that an email bounced or was reported as spam, so that no more notifications are emailed to that address.
 * If a bounced email was about a changed or cancelled lesson, a job notifies the coach and the admins. Returns false,
 * and does nothing, if the report contains no return path of ours.
 */
export async function recordBounce(
  db: Database,
  keys: Pick<Config, 'dataKeys'>,
  { returnPath, event }: BounceReport,
): Promise<boolean> {
  const path = readReturnPath(keys, returnPath);
  if (!path) return false;
  if (event === 'delayed') return true;
  await db.transaction().execute(async (tx) => {
    if ('addressHash' in path) return suppress(tx, path.addressHash, event);
    const { notificationId } = path;
    const reason = event === 'bounced' ? 'refused' : 'complained';
    // The report may arrive before we have recorded that the email was sent. It then concerns the current address.
    const { rows } = await sql<{ addressHash: string }>`
      insert into deliveries (notification_id, channel, status, reason, address_hash, ended_at)
      select notification_id, 'email', 'bounced', ${reason}, hash_address(email), now()
      from notifications join profiles using (user_id)
      where notification_id = ${notificationId}::uuid and email <> ''
      on conflict (notification_id, channel) do update
        set status = excluded.status, reason = excluded.reason, ended_at = excluded.ended_at,
          address_hash = case when deliveries.status = 'sent' then deliveries.address_hash else excluded.address_hash end
        where deliveries.status = 'queued' or deliveries.status = 'sent' and deliveries.address_hash is not null
      returning address_hash`.execute(tx);
    if (!rows[0]) return;
    await suppress(tx, rows[0].addressHash, event);
    if (event === 'bounced') await enqueue(tx, 'notifications.bounced', { notificationId });
  });
  return true;
}
