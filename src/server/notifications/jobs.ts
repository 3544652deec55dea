import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { type DeliveryParts, deliver, reportBounce } from './deliver.ts';

/** The jobs that send notifications and other emails. */
export const notificationJobs = (parts: DeliveryParts) =>
  ({
    'notifications.bounced': ({ notificationId }) => reportBounce(parts, notificationId),
    'notifications.deliver': (delivery) => deliver(parts, delivery),
    'notifications.send': ({ to, ...message }) => parts.channels.email(to, message),
  }) satisfies AreaHandlers<'notifications'>;
