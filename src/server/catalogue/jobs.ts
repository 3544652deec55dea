import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';

const batchSize = 1_000;

/** `catalogue.slots-ended`: changes scheduled lessons that are over to `completed`, in batches. */
export function catalogueJobs({ db }: { db: Database }) {
  return {
    'catalogue.slots-ended': async () => {
      while ((await completeEndedSlots(db)) === batchSize);
    },
  } satisfies AreaHandlers<'catalogue'>;
}

async function completeEndedSlots(db: Database): Promise<number> {
  const { rows } = await sql`
    update lesson_slots set status = 'completed'
    where status = 'scheduled' and slot_id = any(array(
      select slot_id from lesson_slots
      where status = 'scheduled' and end_time <= now()
      order by end_time limit ${batchSize} for update skip locked))
    returning slot_id`.execute(db);
  return rows.length;
}
