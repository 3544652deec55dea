import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composePayrunCancelledMessage } from '#server/notifications/templates/payruns.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { getPayrun } from './list-payruns.ts';
import { refuseEnded } from './mark-payrun-paid.ts';

/**
 * Cancels a pending payrun permanently: its bookings become payable again, and amounts deducted from a coach are owed
 * again. Throws `not_found`, and `conflict` if the payrun has already been paid or cancelled, or if its file was
 * downloaded and the admin does not confirm that no bank has used the file (docs/decisions/0026).
 */
export async function cancelPayrun(
  db: Database,
  admin: Person,
  { payrunId, reason, isFileUnused }: ParsedInputOf<typeof payoutsApi.cancelPayrun>,
): Promise<Payrun> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      totalAmountCents: number;
      paymentReference: string;
      exportedAt: string | null;
    }>`
      select total_amount_cents, payment_reference, exported_at from payruns
      where payrun_id = ${payrunId}::uuid and status = 'pending' for update`.execute(tx);
    const payrun = rows[0];
    if (!payrun) throw await refuseEnded(tx, payrunId);
    if (payrun.exportedAt && !isFileUnused) {
      throw new AppError(
        'conflict',
        "This payrun's file was downloaded. Confirm that no bank has used the file and that you have deleted it.",
        { details: { exportedAt: payrun.exportedAt } },
      );
    }
    // The database cancels the items with the payrun.
    await sql`
      update payruns set status = 'cancelled', cancelled_at = now(), cancelled_by = ${admin.userId}::uuid,
        cancellation_reason = ${reason}
      where payrun_id = ${payrunId}::uuid`.execute(tx);
    await sql`
      update bookings set is_in_payrun = false
      where booking_id in (
        select booking_id from payrun_items where payrun_id = ${payrunId}::uuid and kind = 'lesson')`.execute(
      tx,
    );
    await recordAudit(tx, admin, {
      action: 'payrun.cancelled',
      subjectType: 'payrun',
      subjectId: payrunId,
      before: { status: 'pending' },
      after: {
        status: 'cancelled',
        totalAmountCents: payrun.totalAmountCents,
        reason,
        wasExported: payrun.exportedAt !== null,
      },
    });
    await announceCancelled(tx, admin, { payrunId, reason, ...payrun });
  });
  return getPayrun(db, payrunId);
}

async function announceCancelled(
  tx: Tx,
  admin: Person,
  cancelled: Pick<Payrun, 'payrunId' | 'totalAmountCents' | 'paymentReference' | 'exportedAt'> & {
    reason: string;
  },
): Promise<void> {
  const by = await nameActor(tx, admin);
  await notifyAdmins(
    tx,
    { kind: 'payrun_cancelled', subjectId: cancelled.payrunId },
    {
      compose: ({ fullName }) => composePayrunCancelledMessage({ fullName, by, ...cancelled }),
    },
  );
}
