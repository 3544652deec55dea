import { type Selectable, sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import { jsonObject } from '#server/platform/db/json-object.ts';
import type { ChannelName } from './channels.ts';

type Profile = Selectable<DB['profiles']>;

/** The column of `profiles` with a person's address on each channel; null if the channel does not reach that person. */
export const addressColumns = { email: 'email' } as const satisfies Record<ChannelName, keyof Profile>;

type AddressColumn = (typeof addressColumns)[ChannelName];

/** The recipient of a message. Someone without an account has only an email address. */
export type Recipient = { email: string } & Partial<Pick<Profile, AddressColumn>>;

/** A recipient with an account, whose messages begin with their name. */
export type NamedRecipient = { fullName: string } & Pick<Profile, AddressColumn>;

const personColumns = ['fullName' as const, ...Object.values(addressColumns)];

/** SQL for the recipient in a row of `profiles` with this alias, for statements that select other data as well. */
export const recipientObject = (alias: string) => jsonObject<NamedRecipient>(alias, personColumns);

/** Reads the recipient of an account, even if the account was deleted. */
export const readRecipient = (db: Database | Tx, userId: string): Promise<NamedRecipient> =>
  db.selectFrom('profiles').select(personColumns).where('userId', '=', userId).executeTakeFirstOrThrow();

/** Every admin, in a fixed order. */
export const readAdmins = (db: Database | Tx): Promise<(NamedRecipient & { userId: string })[]> =>
  db
    .selectFrom('profiles')
    .select(['userId', ...personColumns])
    .where(sql<boolean>`roles @> '{admin}'`)
    .orderBy('userId')
    .execute();

export const listAddresses = (recipient: Recipient): { channel: ChannelName; to: string }[] =>
  (Object.entries(addressColumns) as [ChannelName, AddressColumn][]).flatMap(([channel, column]) => {
    const to = recipient[column];
    return to ? [{ channel, to }] : [];
  });
