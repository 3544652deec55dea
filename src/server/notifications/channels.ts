import type { DeliveryChannel } from '#domain/notifications/kinds.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import type { Channel } from './channel.ts';
import { createEmailChannel } from './email/email-channel.ts';
import { createPushChannel } from './push/push-channel.ts';

/**
 * Creates the channels from the configuration. A new channel needs an entry and rules in
 * src/domain/notifications/kinds.ts, a migration that allows its name, a file such as email/email-channel.ts, a line in
 * this object, and a line in `reach` of write-notifications.ts. Events and jobs do not change.
 */
export const createChannels = ({
  db,
  config,
}: {
  db: Database;
  config: Pick<Config, 'email' | 'publicUrl' | 'dataKeys' | 'push'>;
}) =>
  ({
    email: createEmailChannel(config, () => readProduct(db)),
    push: createPushChannel({ db, config }),
  }) satisfies Record<DeliveryChannel, Channel>;

export type Channels = Record<DeliveryChannel, Channel>;
