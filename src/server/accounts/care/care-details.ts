import { type Care, care as careSchema, careStateOf } from '#domain/accounts/care.ts';
import type { CareAnswer } from '#domain/accounts/care-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import { type DataKeys, decryptText, encryptText } from '#server/platform/encryption.ts';

export type CareParts = { db: Database; config: Pick<Config, 'dataKeys'> };

const contextOf = (participantId: string) => `participant_care.care:${participantId}`;

/** The care details, which `DATA_KEY` encrypts. */
export const encryptedCare: EncryptedTable = {
  table: 'participant_care',
  key: ['participant_id'],
  contexts: { care_encrypted: ({ participantId }) => contextOf(participantId!) },
};

type CareRow = { participantId: string; careEncrypted: string };

/** Encrypts care details for storage. They can be decrypted only for the same participant. */
export const encryptCare = (dataKeys: DataKeys, participantId: string, care: Care): string =>
  encryptText(dataKeys, JSON.stringify(care), contextOf(participantId));

/**
 * Decrypts care details. They may appear only in responses to the participant or a guardian, in the register
 * of a lesson, in a download, and in the response to an admin who has given a reason.
 */
export const decryptCare = (dataKeys: DataKeys, { participantId, careEncrypted }: CareRow): Care =>
  careSchema.parse(JSON.parse(decryptText(dataKeys, careEncrypted, contextOf(participantId))));

/**
 * A participant's care details and their state; `care` is null if there are none. The caller must already
 * have checked access.
 */
export async function readCare(
  db: Database | Tx,
  dataKeys: DataKeys,
  participantId: string,
): Promise<CareAnswer> {
  const row = await db
    .selectFrom('participantCare')
    .select(['participantId', 'careEncrypted', 'confirmedAt'])
    .where('participantId', '=', participantId)
    .executeTakeFirst();
  const confirmedAt = row?.confirmedAt ?? null;
  return {
    care: row ? decryptCare(dataKeys, row) : null,
    confirmedAt,
    state: careStateOf(confirmedAt, Date.now()),
  };
}
