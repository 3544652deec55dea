import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { writeSales } from '#server/test-support/lessons.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';

/**
 * Writes progress about a coach's own dependant after a lesson that the coach gave and someone else paid for; returns
 * the ids.
 */
export async function writeProgress(
  app: TestApp,
  { userId: coachId }: Someone,
  { participantId, templateId, mark }: { participantId: string; templateId: string; mark: string },
): Promise<{ noteId: string; goalId: string; skillId: string; concernId: string }> {
  const customer = await app.signIn('customer');
  const startMs = Date.now() - 30 * 24 * 3_600_000;
  const sale = { coachId, templateId, startMs, priceCents: 5000, feeCents: 100 };
  const [bookingId] = (await writeSales(app.db, customer.userId, [sale])) as [string];
  await sql`update bookings set participant_id = ${participantId}::uuid where booking_id = ${bookingId}::uuid`.execute(
    app.db,
  );
  const about = { bookingId, participantId };
  const { noteId } = await app.db
    .insertInto('sessionNotes')
    .values({ ...about, coachId, isShared: false, body: `${mark} note` })
    .returning('noteId')
    .executeTakeFirstOrThrow();
  const { goalId } = await app.db
    .insertInto('goals')
    .values({ participantId, coachId, sport: 'tennis', title: `${mark} goal` })
    .returning('goalId')
    .executeTakeFirstOrThrow();
  const { skillId } = await app.db
    .insertInto('skills')
    .values({ coachId, sport: 'tennis', name: `${mark} skill`, position: 0 })
    .returning('skillId')
    .executeTakeFirstOrThrow();
  const { concernId } = await app.db
    .insertInto('welfareConcerns')
    .values({
      ...about,
      reportedBy: customer.userId,
      businessId: await businessOf(app, coachId),
      body: `${mark} concern`,
    })
    .returning('concernId')
    .executeTakeFirstOrThrow();
  return { noteId, goalId, skillId, concernId };
}

const businessOf = async (app: TestApp, coachId: string): Promise<string | null> =>
  (
    await app.db
      .selectFrom('coaches')
      .select('businessId')
      .where('coachId', '=', coachId)
      .executeTakeFirstOrThrow()
  ).businessId;

/** Writes a row into each table about progress, with texts that end in "word". */
export async function writeProgressRows(
  db: Database,
  { bookingId, userId, coachId }: { bookingId: string; userId: string; coachId: string },
): Promise<void> {
  const insert = (table: RawBuilder<unknown>) => sql`insert into ${table}`.execute(db);
  const noted = sql`${bookingId}::uuid, ${userId}::uuid, ${coachId}::uuid`;
  await insert(sql`session_notes (booking_id, participant_id, coach_id, is_shared, body)
    values (${noted}, false, 'Noteword')`);
  await insert(sql`note_additions (note_id, body) select note_id, 'Addedword' from session_notes`);
  await insert(sql`consents (participant_id, kind, choice, text_version, given_by)
    values (${userId}, 'photos', 'coaching', '1', ${userId})`);
  await insert(sql`storage_objects (bucket, owner_user_id, path, content_id, content_type, bytes, width, height)
    values ('attachments', ${coachId}, ${`${coachId}/note`}, gen_random_uuid(), 'image/webp', 9, 9, 9)`);
  await insert(sql`note_files (object_id, note_id) select object_id, note_id from storage_objects, session_notes
    where bucket = 'attachments'`);
  await insert(
    sql`goals (participant_id, coach_id, sport, title) values (${userId}, ${coachId}, 'tennis', 'Goalword')`,
  );
  await insert(sql`skills (coach_id, sport, name, position) values (${coachId}, 'tennis', 'Skillword', 0)`);
  await insert(sql`assessments (booking_id, participant_id, coach_id, sport, skill_name, level)
    values (${noted}, 'tennis', 'Skillword', 3)`);
  await insert(sql`lesson_answers (booking_id, participant_id, coach_id, answered_by, rating, body)
    values (${noted}, ${userId}, 5, 'Answerword')`);
  await insert(sql`welfare_concerns (booking_id, participant_id, reported_by, body)
    values (${noted}, 'Concernword')`);
}
