import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { ReportedPicture } from '#domain/storage/contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composePictureRemovedMessage } from '#server/notifications/templates/pictures.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { type StoredObject, toPicture, versionOf } from '../queries.ts';
import type { AddressSigner } from '../signed-address.ts';

/**
 * Pictures with undecided reports, and hidden pictures whose reports were deleted with the reporters' accounts; oldest
 * report first, at most 50. The URLs are signed, so they open hidden pictures too.
 */
export async function listReportedPictures({
  db,
  signer,
}: {
  db: Database;
  signer: AddressSigner;
}): Promise<ReportedPicture[]> {
  type Row = StoredObject & { ownerName: string; reports: ReportedPicture['reports'] };
  const { rows } = await sql<Row>`
    select object.*, owner.full_name as owner_name, coalesce(report.reports, '[]') as reports
    from storage_objects object
    join profiles owner on owner.user_id = object.owner_user_id
    left join (
      select object_id, min(created_at) as first_at,
        json_agg(json_build_object('reason', reason, 'at', created_at) order by created_at) as reports
      from storage_reports where decided_at is null group by object_id) report using (object_id)
    where report.object_id is not null or object.state = 'hidden'
    order by coalesce(report.first_at, object.updated_at), object.object_id limit 50`.execute(db);
  return rows.map((object) => ({
    ...toPicture(object, signer.signPicture(`${object.bucket}/${object.path}`, versionOf(object))),
    bucket: object.bucket as ReportedPicture['bucket'],
    ownerId: object.ownerUserId,
    ownerName: object.ownerName,
    isHidden: object.state === 'hidden',
    reports: object.reports.map(({ reason, at }) => ({ reason, at: new Date(at).toISOString() })),
  }));
}

/**
 * Keeps a reported picture, which makes it visible again and closes its reports, or removes it and notifies its owner.
 * Throws `not_found` for a picture that {@link listReportedPictures} would not list.
 */
export async function decidePicture(
  db: Database,
  admin: Person,
  { pictureId, decision }: { pictureId: string; decision: 'keep' | 'remove' },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const picture = await tx
      .selectFrom('storageObjects')
      .select(['ownerUserId', 'bucket', 'state'])
      .where('objectId', '=', pictureId)
      .where(({ eb, exists, or, selectFrom }) =>
        or([
          eb('state', '=', 'hidden'),
          exists(
            selectFrom('storageReports')
              .select('reportId')
              .whereRef('storageReports.objectId', '=', 'storageObjects.objectId')
              .where('decidedAt', 'is', null),
          ),
        ]),
      )
      .forUpdate()
      .executeTakeFirst();
    if (!picture) throw new AppError('not_found', 'There are no open reports of this picture.');
    const { ownerUserId, bucket, state } = picture;
    if (decision === 'keep') {
      await tx
        .updateTable('storageObjects')
        .set({ state: 'live' })
        .where('objectId', '=', pictureId)
        .execute();
      await tx
        .updateTable('storageReports')
        .set({ decidedAt: sql<string>`now()` })
        .where('objectId', '=', pictureId)
        .where('decidedAt', 'is', null)
        .execute();
    } else {
      await tx.deleteFrom('storageObjects').where('objectId', '=', pictureId).execute();
      const owner = await readRecipient(tx, ownerUserId);
      const { fullName } = owner;
      await notify(
        tx,
        owner,
        { kind: 'picture_removed', subjectId: pictureId },
        composePictureRemovedMessage({ fullName, brand: await readBrand(tx) }),
      );
    }
    await recordAudit(tx, admin, {
      action: decision === 'keep' ? 'picture.kept' : 'picture.removed',
      subjectType: 'picture',
      subjectId: pictureId,
      before: { state },
      after: { state: decision === 'keep' ? 'live' : 'removed', ownerUserId, bucket },
    });
  });
}
