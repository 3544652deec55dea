import type { Person } from '#domain/access.ts';
import {
  explainAnnouncementLimit,
  nextAnnouncementAt,
  refuseAnnouncement,
  refuseRecipients,
  refuseRepeated,
} from '#domain/bookings/announcements.ts';
import type { announcementsApi, SentAnnouncement } from '#domain/bookings/announcements-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { sizedUrl } from '#domain/storage/picture-url.ts';
import { composeAnnouncementMessage } from '#server/notifications/templates/announcements.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { consume, describeWait } from '#server/platform/http/rate-limit.ts';
import { readPublicAvatar } from '#server/storage/queries.ts';
import { lockCoachSlot } from '../changes/lock-coach-slot.ts';
import { type AnnouncementRecipient, listRecipients, readAnnouncements } from './list-announcements.ts';

/**
 * The limit on one coach's announcements across all lessons: enough for a rainy day, too few to pester a whole club.
 */
const coachLimit = { calls: 30, seconds: 24 * 60 * 60 };

/**
 * Separately notifies everyone who booked one of the coach's lessons and the other guardians of dependants, and stores
 * the text with the lesson. A lesson has at most 20 seats, so everything is one transaction. Throws `not_found`,
 * `too_many_requests`, or `conflict` if the lesson is cancelled or ended too long ago, if nobody would get the
 * announcement, if the number of recipients differs from `expectedRecipients`, or if the lesson's latest announcement
 * has the same text and is less than 24 hours old.
 */
export function sendAnnouncement(
  db: Database,
  coach: Person,
  input: ParsedInputOf<typeof announcementsApi.send>,
): Promise<SentAnnouncement> {
  const { slotId, expectedRecipients } = input;
  const text = input.text.replace(/\r\n?/g, '\n').replace(/\n{3,}/g, '\n\n');
  return db.transaction().execute(async (tx) => {
    // The lock makes calls about one lesson wait for each other, so that simultaneous calls can't exceed the limit.
    const slot = await lockCoachSlot(tx, coach.userId, slotId);
    const now = Date.now();
    assertAllowed(refuseAnnouncement(slot, now));
    const sent = await readAnnouncements(tx, slotId);
    assertAllowed(refuseRepeated(text, sent[0], now));
    assertWithinLimit(nextAnnouncementAt(sent, now), now);
    const recipients = await listRecipients(tx, slotId);
    assertAllowed(refuseRecipients(recipients.length, expectedRecipients));
    await countAnnouncement(tx, coach.userId);
    const announcement = await tx
      .insertInto('announcements')
      .values({ slotId, coachId: coach.userId, text, recipients: recipients.length })
      .returning(['announcementId', 'text', 'sentAt', 'recipients'])
      .executeTakeFirstOrThrow();
    await notifyRecipients(tx, coach, announcement, recipients);
    await recordAudit(tx, coach, {
      action: 'announcement.sent',
      subjectType: 'lesson_slot',
      subjectId: slotId,
      after: { announcementId: announcement.announcementId, recipients: recipients.length },
    });
    return announcement;
  });
}

function assertWithinLimit(nextAt: string | null, now: number): void {
  if (!nextAt) return;
  const retryAfterSeconds = Math.ceil((Date.parse(nextAt) - now) / 1000);
  throw new AppError('too_many_requests', explainAnnouncementLimit(nextAt, now), {
    details: { retryAfterSeconds },
  });
}

async function countAnnouncement(tx: Tx, coachId: string): Promise<void> {
  const retryAfterSeconds = await consume(tx, `announcements:${coachId}`, coachLimit);
  if (retryAfterSeconds === null) return;
  const wait = describeWait(retryAfterSeconds);
  throw new AppError(
    'too_many_requests',
    `You've sent ${coachLimit.calls} announcements in a day. Please try again in ${wait}.`,
    { details: { retryAfterSeconds } },
  );
}

async function notifyRecipients(
  tx: Tx,
  coach: Person,
  { announcementId, text }: SentAnnouncement,
  recipients: AnnouncementRecipient[],
): Promise<void> {
  const avatarUrl = await readPublicAvatar(tx, coach.userId);
  const coachPicture = avatarUrl && sizedUrl(avatarUrl, 128);
  await writeNotifications(
    tx,
    recipients.map(({ userId, ...recipient }) => ({
      kind: 'announcement',
      userId,
      subjectId: recipient.bookingId,
      version: announcementId,
      // The text is the coach's, so the notification is deleted with the coach's account.
      aboutUserId: coach.userId,
      message: composeAnnouncementMessage({ ...recipient, text, coachPicture }),
    })),
  );
}
