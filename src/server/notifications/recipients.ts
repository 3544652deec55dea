import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { jsonObject } from '#server/platform/db/json-object.ts';

/** A person with an account. The email address of a deleted account is empty. */
export type Recipient = { userId: string; fullName: string; email: string };

const columns = ['userId', 'fullName', 'email'] as const;

/** SQL for the recipient in a row of `profiles` with this alias, for statements that select other data as well. */
export const recipientObject = (alias: string) => jsonObject<Recipient>(alias, columns);

/** Reads the recipient of an account, even if the account was deleted. */
export const readRecipient = (db: Database | Tx, userId: string): Promise<Recipient> =>
  db.selectFrom('profiles').select(columns).where('userId', '=', userId).executeTakeFirstOrThrow();

/** Every admin, in a fixed order. */
export const readAdmins = (db: Database | Tx): Promise<Recipient[]> =>
  db
    .selectFrom('profiles')
    .select(columns)
    .where(sql<boolean>`roles @> '{admin}'`)
    .orderBy('userId')
    .execute();
