import { sql } from 'kysely';
import type { CareReader, careApi } from '#domain/accounts/care-contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';

/** Who opened care details: a coach, owner or welfare officer in a lesson's register, or an admin with a reason. */
type Opening = { userId: string } & (
  | { role: Exclude<CareReader, 'admin'>; slotId: string }
  | { role: 'admin'; reason: string }
);

/**
 * Records that someone opened the care details of these participants. The participants and their guardians
 * can see the record.
 */
export async function recordCareReads(tx: Tx, opening: Opening, participantIds: string[]): Promise<void> {
  if (participantIds.length === 0) return;
  const { userId, role } = opening;
  const read = {
    readBy: userId,
    readerRole: role,
    slotId: 'slotId' in opening ? opening.slotId : null,
    reason: 'reason' in opening ? opening.reason : null,
  };
  await tx
    .insertInto('careReads')
    .values(participantIds.map((participantId) => ({ ...read, participantId })))
    .execute();
}

/**
 * A page of the records of who opened a participant's care details, latest first. The caller must already have checked
 * access.
 */
export async function listCareReads(
  db: Database,
  { participantId, cursor, limit }: ParsedInputOf<typeof careApi.listCareReads>,
): Promise<OutputOf<typeof careApi.listCareReads>> {
  const after = readPageCursor(cursor);
  const rows = await db
    .selectFrom('careReads as read')
    .innerJoin('profiles as reader', 'reader.userId', 'read.readBy')
    .leftJoin('lessonSlots as slot', 'slot.slotId', 'read.slotId')
    .leftJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .select(['read.careReadId', 'readAt', 'readerRole', 'reason'])
    .select(sql<string>`coach_public_name(reader)`.as('readerName'))
    .select(['template.title', 'slot.startTime'])
    .where('participantId', '=', participantId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(read_at, care_read_id) < (${after!.time}::timestamptz, ${after!.id}::uuid)`),
    )
    .orderBy('readAt', 'desc')
    .orderBy('careReadId', 'desc')
    .limit(rowsOfPage(limit))
    .execute();
  const { page, nextCursor } = cutPage(rows, limit, ({ readAt, careReadId }) => ({
    time: readAt,
    id: careReadId,
  }));
  return {
    reads: page.map(({ title, startTime, careReadId: _, ...read }) => ({
      ...read,
      lesson: title && startTime ? { title, startTime } : null,
    })),
    nextCursor,
  };
}
