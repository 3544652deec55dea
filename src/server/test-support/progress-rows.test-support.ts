import { sql } from 'kysely';
import type { Someone } from './contract-client.test-support.ts';
import { writeSales } from './lessons.test-support.ts';
import type { TestApp } from './test-app.test-support.ts';

/** Writes what a coach notes about a participant of the coach's own after a lesson sold to somebody else; returns the ids. */
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
