import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email-channel.ts';

/**
 * Creates the channels from the configuration. A new channel needs a file beside email-channel.ts, a line in this
 * object and its address column in recipients.ts; events and jobs do not change. Every message goes to every channel. A
 * channel for only some messages needs its own text in `Message` and a check for that text in notify.ts.
 */
export const createChannels = ({ db, config }: { db: Database; config: Pick<Config, 'email'> }) =>
  ({
    email: createEmailChannel(config.email, () => readProduct(db)),
  }) satisfies Record<string, Channel>;

export type Channels = ReturnType<typeof createChannels>;
export type ChannelName = keyof Channels;
