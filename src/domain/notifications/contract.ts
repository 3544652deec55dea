import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, instant, nextCursor, pageFields } from '../fields.ts';
import { channelNames, kindNames } from './kinds.ts';

/** Counting stops here, because screens show any count above 99 as "99+". */
export const maxCounted = 100;

const counts = z
  .object({
    unread: count.describe(`Unread notifications; ${maxCounted} means ${maxCounted} or more.`),
    unseen: count.describe(
      `Unread notifications since the list was last opened; ${maxCounted} means ${maxCounted} or more.`,
    ),
  })
  .meta({ id: 'NotificationCounts' });
export type NotificationCounts = z.output<typeof counts>;

const notification = z
  .object({
    notificationId: z.uuid(),
    kind: z.string().meta({
      description: 'What happened. Old notifications may have a kind that no longer exists.',
      examples: ['lesson_moved'],
    }),
    title: z.string().meta({ examples: ['New time: Tennis for beginners, Sat 21 Nov, 09:00–10:00'] }),
    summary: z.string().meta({ examples: ['Alex Morgan has moved this lesson.'] }),
    path: z.string().meta({
      description: 'The page of this site that the notification opens.',
      examples: ['/customer/my-bookings'],
    }),
    createdAt: instant,
    readAt: instant.nullable().describe('Null until the person opens the notification.'),
  })
  .meta({ id: 'Notification' });
export type ListedNotification = z.output<typeof notification>;

const kind = z.enum(kindNames, 'There is no such kind of notification.').describe('A kind of notification.');
const channel = z.enum(channelNames).describe('How the person is notified.');

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 21:00.')
  .meta({ description: 'A time of day in London.', examples: ['21:00'] });

const quietHours = z.object({ startsAt: time, endsAt: time });

const preferences = z
  .object({
    choices: z
      .array(z.object({ kind, channel, isOn: z.boolean() }))
      .describe("The person's own choices; every other channel follows the default of its kind."),
    quietHours: quietHours
      .nullable()
      .describe('Push notifications wait until quiet hours end; null if there are no quiet hours.'),
    unreachable: z
      .enum(['bounced', 'complained'])
      .nullable()
      .describe(
        "Why notifications are no longer emailed to the person's address; null while they are emailed.",
      ),
  })
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.output<typeof preferences>;

export const notificationsApi = {
  listNotifications: endpoint({
    method: 'GET',
    path: '/api/notifications',
    operationId: 'list_notifications',
    gate: 'signedIn',
    summary: 'List my notifications',
    description: "The caller's notifications of the last 12 months, newest first.",
    input: z.object(pageFields({ size: 20, max: 100 })),
    output: z.object({ notifications: z.array(notification), nextCursor }),
  }),
  countNotifications: endpoint({
    method: 'GET',
    path: '/api/notifications/counts',
    operationId: 'count_notifications',
    gate: 'signedIn',
    summary: 'Count my unread notifications',
    description:
      'How many notifications the caller has not read, and how many of these have arrived since the caller last opened the list.',
    input: z.object({}),
    output: z.object({ counts }),
  }),
  markSeen: endpoint({
    method: 'POST',
    path: '/api/notifications/seen',
    operationId: 'mark_notifications_seen',
    gate: 'signedIn',
    summary: 'Mark my notifications as seen',
    description: 'Called when the caller opens the list. The notifications stay unread.',
    input: z.object({}),
    output: z.object({ counts }),
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/api/notifications/:notificationId/read',
    operationId: 'mark_notification_read',
    gate: 'signedIn',
    summary: 'Mark a notification as read',
    description: 'Called when the caller opens the notification. Marking it again changes nothing.',
    input: z.object({ notificationId: z.uuid().describe('The notification.') }),
    output: z.object({ counts }),
  }),
  markAllRead: endpoint({
    method: 'POST',
    path: '/api/notifications/read',
    operationId: 'mark_all_notifications_read',
    gate: 'signedIn',
    summary: 'Mark all my notifications as read',
    description: 'Marks every notification of the caller as read.',
    input: z.object({}),
    output: z.object({ counts }),
  }),
  getPreferences: endpoint({
    method: 'GET',
    path: '/api/notification-preferences',
    operationId: 'get_notification_preferences',
    gate: 'signedIn',
    summary: 'Get my notification preferences',
    description: "The caller's choices and quiet hours, and whether email reaches them.",
    input: z.object({}),
    output: z.object({ preferences }),
  }),
  savePreference: endpoint({
    method: 'PUT',
    path: '/api/notification-preferences/:kind/:channel',
    operationId: 'save_notification_preference',
    gate: 'signedIn',
    summary: 'Switch a notification on or off',
    description:
      'Switches one channel of one kind of notification on or off. Refused for a channel that this kind always or never uses.',
    input: z.object({ kind, channel, isOn: z.boolean() }),
    output: z.object({ preferences }),
    refusals: ['unprocessable'],
  }),
  saveQuietHours: endpoint({
    method: 'PUT',
    path: '/api/quiet-hours',
    operationId: 'save_quiet_hours',
    gate: 'signedIn',
    summary: 'Save my quiet hours',
    description:
      'Push notifications wait until quiet hours end, except some about a lesson that starts within 12 hours: that it is cancelled, that it is moved to another time or location, or that a family withdraws a consent.',
    input: quietHours.refine(({ startsAt, endsAt }) => startsAt !== endsAt, {
      message: 'Quiet hours must start and end at different times.',
      path: ['endsAt'],
    }),
    output: z.object({ preferences }),
  }),
  removeQuietHours: endpoint({
    method: 'DELETE',
    path: '/api/quiet-hours',
    operationId: 'remove_quiet_hours',
    gate: 'signedIn',
    summary: 'Switch my quiet hours off',
    description: 'Push notifications are then sent at any hour.',
    input: z.object({}),
    output: z.object({ preferences }),
  }),
  retryEmail: endpoint({
    method: 'POST',
    path: '/api/notification-preferences/retry-email',
    operationId: 'retry_email',
    gate: 'signedIn',
    summary: 'Resume emails to my address',
    description:
      "Resumes emailing notifications to the caller's address after an email bounced or was reported as spam. Another bounce or report stops the emails again.",
    input: z.object({}),
    output: z.object({ preferences }),
  }),
};
