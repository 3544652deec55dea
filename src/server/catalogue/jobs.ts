import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { JobHandlers } from '#server/platform/jobs/jobs.ts';

const batchSize = 1_000;

/** Schedule of the catalogue's recurring jobs, as lines of graphile-worker's crontab (UTC). */
export const catalogueCron = '*/5 * * * * catalogue.slots-ended';

/** `catalogue.slots-ended`: lessons whose time is over leave `scheduled` for `completed`, batch by batch. */
export function catalogueJobs({ db }: { db: Database }): JobHandlers {
  return {
    'catalogue.slots-ended': async () => {
      while ((await completeEndedSlots(db)) === batchSize);
    },
  };
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
