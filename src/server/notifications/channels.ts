import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email-channel.ts';

/**
 * The ways to reach people, made from the configuration. A new channel needs a file beside email-channel.ts, a line
 * here and the column of its addresses in recipients.ts; events and jobs stay as they are. Every message goes to every
 * channel: a channel for only some messages needs its own text in `Message`, for which notify.ts must then check.
 */
export const createChannels = ({ db, config }: { db: Database; config: Pick<Config, 'email'> }) =>
  ({
    email: createEmailChannel(config.email, () => readProduct(db)),
  }) satisfies Record<string, Channel>;

export type Channels = ReturnType<typeof createChannels>;
export type ChannelName = keyof Channels;
