import { readFile } from 'node:fs/promises';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';
import { putLesson } from '#server/test-support/lessons.test-support.ts';

/** Changes the database of the product under test as only time can; everything else goes through the product. */
async function letTimePass(change: (db: Database) => Promise<unknown>): Promise<void> {
  const url = await readFile(process.env.E2E_DATABASE_FILE!, 'utf8');
  const db = openDatabase(openPool(url, { size: 1 }));
  await change(db).finally(() => db.destroy());
}

/** Moves a lesson and its bookings so that the lesson, an hour long, ended this many hours ago. */
export const endLesson = ({ slotId }: { slotId: string }, hoursAgo: number): Promise<void> =>
  letTimePass((db) => putLesson(db, slotId, { startMs: Date.now() - (hoursAgo + 1) * 3_600_000 }));
