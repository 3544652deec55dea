import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, instant } from '../fields.ts';
import { announcementText } from './announcements.ts';

const slotId = z.uuid().describe('The lesson.');

const announcementFields = {
  announcementId: z.uuid(),
  text: z.string().meta({ examples: ['Please bring a warm layer: we play outdoors.'] }),
  sentAt: instant,
};

/** An announcement as the customers of its lesson see it. */
export const announcement = z
  .object(announcementFields)
  .meta({ id: 'Announcement', description: 'A text that a coach sent to everyone who had booked a lesson.' });
export type Announcement = z.output<typeof announcement>;

const sentAnnouncement = z
  .object({ ...announcementFields, recipients: count.describe('How many people it was sent to.') })
  .meta({ id: 'SentAnnouncement', description: 'An announcement as its coach sees it.' });
export type SentAnnouncement = z.output<typeof sentAnnouncement>;

/**
 * Endpoints with which a coach writes to everyone who booked a lesson, and to the other guardians of dependants. All of
 * them see the announcements with the booking.
 */
export const announcementsApi = {
  listSent: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId/announcements',
    operationId: 'list_announcements',
    gate: 'coach',
    summary: 'List the announcements about a lesson',
    description: "The last 50 announcements about one of the coach's own slots, newest first.",
    input: z.object({ slotId }),
    output: z.object({
      announcements: z.array(sentAnnouncement),
      recipients: count.describe('How many people would get an announcement now.'),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/announcements',
    operationId: 'send_announcement',
    gate: 'coach',
    summary: 'Send an announcement about a lesson',
    description:
      'Separately notifies everyone who has booked the lesson and every other guardian of a dependant, and stores the text with the lesson for people who book later. Each lesson can have at most 3 announcements in 24 hours.',
    refusals: ['conflict', 'too_many_requests'],
    input: z.object({
      slotId,
      text: announcementText.meta({
        description: 'Plain text.',
        examples: ['Please bring a warm layer: we play outdoors.'],
      }),
      expectedRecipients: z
        .number()
        .int()
        .min(1)
        .describe('The number of recipients that the coach saw; refused with `conflict` if it has changed.'),
    }),
    output: z.object({ announcement: sentAnnouncement }),
  }),
};
