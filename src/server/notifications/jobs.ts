import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import type { ChannelName, Channels } from './channels.ts';

/** The job that sends a queued message to one address. */
export const notificationJobs = (channels: Channels) =>
  ({
    'notifications.send': ({ channel, to, ...message }) => channels[channel as ChannelName](to, message),
  }) satisfies AreaHandlers<'notifications'>;
