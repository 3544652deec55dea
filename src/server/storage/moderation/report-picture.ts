import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { reportsUntilHidden } from '#domain/storage/buckets.ts';
import { notify } from '#server/notifications/notify.ts';
import { readAdmins } from '#server/notifications/recipients.ts';
import { composePictureReportedMessage } from '#server/notifications/templates/pictures.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { consume, describeWait, keyOf, keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { readBrand } from '#server/settings/queries.ts';
import { findPublicPicture } from '../queries.ts';

const reportLimit = { calls: 10, seconds: 3600 };

/**
 * Records a visitor's report of a public picture, once for each account or IP address. Three undecided reports hide the
 * picture, and admins are notified of the first report and when the picture is hidden. Throws `not_found` for a picture
 * that visitors cannot see, and `too_many_requests` after 10 reports an hour from one IP address.
 */
export async function reportPicture(
  db: Database,
  reporter: Person | null,
  { pictureId, reason, ipAddress }: { pictureId: string; reason: string; ipAddress: string },
): Promise<void> {
  const retryAfterSeconds = await consume(db, keyOfAddress('picture-report', ipAddress), reportLimit);
  if (retryAfterSeconds !== null) {
    const wait = describeWait(retryAfterSeconds);
    throw new AppError(
      'too_many_requests',
      `You've reported a lot of pictures. Please try again in ${wait}.`,
      {
        details: { retryAfterSeconds },
      },
    );
  }
  await db.transaction().execute(async (tx) => {
    await sql`select from storage_objects where object_id = ${pictureId}::uuid for update`.execute(tx);
    const picture = await findPublicPicture(tx, pictureId);
    if (!picture) throw new AppError('not_found', "This picture doesn't exist, or it's no longer public.");
    const reported = await tx
      .insertInto('storageReports')
      .values({
        objectId: pictureId,
        reporterUserId: reporter?.userId ?? null,
        reporterHash: reporter ? keyOf('person', reporter.userId) : keyOfAddress('address', ipAddress),
        reason,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('reportId')
      .executeTakeFirst();
    if (!reported) return;
    const { open } = await tx
      .selectFrom('storageReports')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('objectId', '=', pictureId)
      .where('decidedAt', 'is', null)
      .executeTakeFirstOrThrow();
    const isHidden = open >= reportsUntilHidden;
    if (isHidden) {
      await tx
        .updateTable('storageObjects')
        .set({ state: 'hidden' })
        .where('objectId', '=', pictureId)
        .execute();
      await recordAudit(
        tx,
        { system: 'storage.reports' },
        { action: 'picture.hidden', subjectType: 'picture', subjectId: pictureId, after: { reports: open } },
      );
    }
    if (open === 1 || isHidden) await notifyAdmins(tx, pictureId, isHidden);
  });
}

async function notifyAdmins(tx: Tx, pictureId: string, isHidden: boolean): Promise<void> {
  const message = composePictureReportedMessage({ isHidden, brand: await readBrand(tx) });
  for (const admin of await readAdmins(tx)) {
    await notify(tx, admin, { kind: 'picture_reported', subjectId: pictureId }, message);
  }
}
