import type { NotificationMessage } from '#domain/message.ts';
import { receiptPath, when } from './bookings.ts';

/**
 * Sends a customer what the coach wrote to everyone who booked a lesson. The text is quoted in one paragraph without
 * blank lines, because a link that is a paragraph of its own would become a button of ours.
 */
export function composeAnnouncementMessage({
  text,
  fullName,
  brand,
  publicUrl,
  ...booking
}: {
  text: string;
  fullName: string;
  bookingId: string;
  title: string;
  coachName: string;
  startTime: string;
  endTime: string;
  brand: string;
  publicUrl: string;
}): NotificationMessage {
  const { title, coachName } = booking;
  const path = receiptPath(booking);
  return {
    // Push shows the subject, so it names only the lesson and its time.
    subject: `Announcement: ${title}, ${when(booking)}`,
    summary: `${coachName}: “${text}”`,
    path,
    text: `Hello ${fullName},

${coachName} has written to everyone who booked this lesson:

“${text.replace(/\s*\n\s*/g, '\n')}”

${title} with ${coachName}
${when(booking)} (London time)

This announcement is also on the page of your booking. Replies to this email don't reach ${coachName}.

${publicUrl}${path}

${brand}
`,
  };
}
