import { sql } from 'kysely';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';
import {
  composeChangesMessage,
  composeNewApplicationMessage,
} from '#server/notifications/team-templates/coach-applications.ts';
import { describeAnnouncement } from '#server/notifications/templates/announcements.ts';
import { describeReceipt } from '#server/notifications/templates/bookings.ts';
import { describeNewBooking } from '#server/notifications/templates/coach-bookings.ts';
import { describeReminder } from '#server/notifications/templates/reminders.ts';
import type { Tx } from '#server/platform/db/db.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** Notifications older than this many days have been read. */
const unreadDays = 2;

type Sold = Parameters<typeof describeReceipt>[0] & {
  slotId: string;
  coachId: string;
  customerUserId: string;
  customerName: string;
  bookedAt: string;
};

type Past = {
  kind: NotificationKind;
  userId: string;
  subjectId: string;
  version: string;
  text: Pick<NotificationMessage, 'subject' | 'summary' | 'action'>;
  ms: number;
  aboutUserId?: string;
};

/** Adds the notifications that the demo's people received in the last three weeks, without sending emails. */
export async function addNotifications(tx: Tx, brand: string, now: number): Promise<void> {
  const { rows: sold } = await sql<Sold>`
    select booking_id, slot_id, coach_id, booking.title, coach_name, location, booked_at, customer_user_id,
      lower(during) as start_time, upper(during) as end_time, full_name as customer_name
    from bookings booking join lesson_slots slot using (slot_id)
      join profiles customer on customer.user_id = customer_user_id
    where booking.status in ('booked', 'attended') and lower(during) > now() - interval '21 days'`.execute(
    tx,
  );
  const { rows: paid } = await sql<{
    coachId: string;
    payrunId: string;
    amountCents: number;
    paidAt: string;
  }>`
    select coach_id, payrun_id, amount_cents, paid_at from payrun_recipients join payruns using (payrun_id)
    where status = 'paid'`.execute(tx);
  const { rows: announced } = await sql<Sold & { announcementId: string; text: string; sentAt: string }>`
    select announcement_id, announcement.text, sent_at, booking_id, coach_id, title, coach_name, customer_user_id,
      lower(during) as start_time, upper(during) as end_time
    from announcements announcement join bookings booking using (slot_id)
    where booking.status = 'booked' and booked_at < sent_at`.execute(tx);
  const { rows: applications } = await sql<Applied>`
    select application_id, user_id, full_name, decision_message, submitted_at, decided_at,
      array(select user_id from profiles where roles @> '{admin}') as admin_ids
    from coach_applications join profiles using (user_id)`.execute(tx);
  const past = [
    ...sold.flatMap(listOfBooking),
    ...announced.map(
      (booking): Past => ({
        ...{ kind: 'announcement', userId: booking.customerUserId, subjectId: booking.bookingId },
        ...{ version: booking.announcementId, aboutUserId: booking.coachId, ms: Date.parse(booking.sentAt) },
        text: describeAnnouncement(booking, booking.text),
      }),
    ),
    ...paid.map((payment) => describePayment(payment, brand)),
    ...applications.flatMap((application) => listOfApplication(application, brand)),
  ];
  const rows = past
    .filter(({ ms }) => ms <= now && ms > now - 21 * dayMs)
    .map(({ text, ms, ...row }) => {
      const createdAt = new Date(ms).toISOString();
      const readAt = ms < now - unreadDays * dayMs ? createdAt : null;
      const { subject: title, summary, action } = text;
      return { ...row, title, summary, path: action.path, createdAt, seenAt: readAt, readAt, isListed: true };
    });
  for (let start = 0; start < rows.length; start += 1_000) {
    await tx
      .insertInto('notifications')
      .values(rows.slice(start, start + 1_000))
      .execute();
  }
}

function listOfBooking(booking: Sold): Past[] {
  const { bookingId: subjectId, customerUserId, coachId, customerName, bookedAt, startTime } = booking;
  const bookedMs = Date.parse(bookedAt);
  const remindedMs = Date.parse(startTime) - 24 * hourMs;
  const isReminded = bookedMs <= remindedMs;
  const mine = { userId: customerUserId, subjectId };
  return [
    { ...mine, kind: 'booked', version: 'booked', text: describeReceipt(booking), ms: bookedMs },
    ...(isReminded
      ? [
          {
            ...{ ...mine, kind: 'reminder_day' as const, version: startTime, ms: remindedMs },
            text: describeReminder(booking),
          },
        ]
      : []),
    {
      ...{ userId: coachId, subjectId, kind: 'new_booking', version: 'new_booking', ms: bookedMs },
      ...{ text: describeNewBooking({ booking, customerName }), aboutUserId: customerUserId },
    },
  ];
}

type Applied = Record<'applicationId' | 'userId' | 'fullName' | 'submittedAt', string> & {
  adminIds: string[];
  decisionMessage: string | null;
  decidedAt: string | null;
};

function listOfApplication(
  { applicationId, userId, fullName, submittedAt, adminIds, ...decision }: Applied,
  brand: string,
): Past[] {
  const event = { subjectId: applicationId, version: submittedAt };
  const { decidedAt, decisionMessage: message } = decision;
  const submitted = composeNewApplicationMessage({ fullName: '', applicant: fullName, applicationId, brand });
  return [
    ...adminIds.map(
      (adminId): Past => ({
        ...{ ...event, kind: 'coach_application', userId: adminId, aboutUserId: userId },
        ...{ text: submitted, ms: Date.parse(submittedAt) },
      }),
    ),
    ...(decidedAt && message
      ? [
          {
            ...{ ...event, kind: 'application_decided' as const, userId, ms: Date.parse(decidedAt) },
            text: composeChangesMessage({ fullName, message, brand }),
          },
        ]
      : []),
  ];
}

const describePayment = (
  {
    coachId,
    payrunId,
    amountCents,
    paidAt,
  }: Record<'coachId' | 'payrunId' | 'paidAt', string> & { amountCents: number },
  brand: string,
): Past => ({
  ...{ kind: 'paid_out', userId: coachId, subjectId: payrunId, version: 'paid', ms: Date.parse(paidAt) },
  text: {
    subject: `${brand} has paid you ${formatPounds(amountCents)}`,
    summary: "If the money hasn't arrived within two working days, contact us.",
    action: { label: 'See your earnings', path: '/coach/earnings' },
  },
});
