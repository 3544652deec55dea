import webPush from 'web-push';
import { kindOf } from '#domain/notifications/kinds.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { PushSettings } from '#server/platform/push-settings.ts';
import { type Channel, type Delivered, RefusedAddress } from '../channel.ts';
import { composePush, keepForSeconds } from './push-message.ts';
import { postPush } from './push-request.ts';
import { forgetDevice, listWaitingDevices, type PushDevice, recordAccepted } from './push-subscriptions.ts';

/** The result of sending to one browser; `reason` says why its push service did not accept the message. */
type Outcome = { end: 'accepted' | 'gone' } | { end: 'failed'; reason: string };

/**
 * Creates the push channel, which sends a notification to every browser of the person: encrypted (RFC 8291) and signed
 * (VAPID, RFC 8292). Deletes subscriptions that the push service no longer knows or that belong to another key. Throws
 * if some browsers can't be reached; the next attempt sends to those only. Throws {@link RefusedAddress} if push is not
 * set up or no browser is left.
 */
export function createPushChannel(parts: {
  db: Database;
  config: Pick<Config, 'dataKeys' | 'push'>;
}): Channel {
  const { db, config } = parts;
  return async (_email, _message, delivered) => {
    const { push } = config;
    if (!push || !delivered) throw new RefusedAddress('Push is not set up.');
    const { notificationId } = delivered;
    const { devices, acceptedBy } = await listWaitingDevices(parts, delivered);
    const outcomes = await Promise.all(
      devices.map(async (device) => {
        const outcome = await sendTo(device, push, delivered);
        if (outcome.end === 'gone') await forgetDevice(db, device);
        return { sessionId: device.sessionId, ...outcome };
      }),
    );
    const accepted = [
      ...acceptedBy,
      ...outcomes.filter(({ end }) => end === 'accepted').map(({ sessionId }) => sessionId),
    ];
    const reasons = outcomes.flatMap((outcome) => (outcome.end === 'failed' ? [outcome.reason] : []));
    if (reasons.length > 0) {
      if (accepted.length > acceptedBy.length) await recordAccepted(db, notificationId, accepted);
      throw new Error(
        `Push failed for ${reasons.length} of ${devices.length} browsers: ${reasons.join(' ')}`,
      );
    }
    if (accepted.length === 0) throw new RefusedAddress('No browser is subscribed.');
  };
}

async function sendTo(device: PushDevice, push: PushSettings, delivered: Delivered): Promise<Outcome> {
  // A subscription belongs to the key that it was made with: its push service refuses messages signed with another key.
  if (device.publicKey !== push.publicKey) return { end: 'gone' };
  const { notificationId, kind, path = '/notifications', lesson = null } = delivered;
  const { endpoint, p256dh, auth } = device;
  const { publicKey, privateKey, subject } = push;
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(composePush({ notificationId, kind, path }, lesson)),
      {
        vapidDetails: { subject, publicKey, privateKey },
        TTL: keepForSeconds(lesson),
        urgency: kindOf(kind).isUrgent ? 'high' : 'normal',
        // Replaces an earlier copy that has not reached the browser yet.
        topic: notificationId.replaceAll('-', ''),
      },
    );
    const status = await postPush({ endpoint, headers: toText(headers), body }, push.serviceBase);
    if (status >= 200 && status < 300) return { end: 'accepted' };
    if (status === 404 || status === 410) return { end: 'gone' };
    return { end: 'failed', reason: `The push service responded with ${status}.` };
  } catch (error) {
    // An error for one browser must not discard the results of the others.
    return { end: 'failed', reason: (error as Error).message };
  }
}

const toText = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
