import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { NotificationMessage } from '#domain/message.ts';
import type { PayrunControl, PlatformFee, RefundControl, Settings } from '#domain/settings/contract.ts';
import { isSameFee } from '#domain/settings/platform-fee.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notifyAll } from '#server/notifications/notify.ts';
import { composePayrunControlMessage } from '#server/notifications/templates/admins.ts';
import { composeRefundControlMessage } from '#server/notifications/templates/desk.ts';
import { composeFeeMessage } from '#server/notifications/templates/platform-fee.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { updateSetting } from '#server/settings/update-setting.ts';

/** Changes the fee for future bookings and notifies every active coach if the effective fee changes. */
export function changePlatformFee(db: Database, admin: Person, fee: PlatformFee): Promise<Settings> {
  return updateSetting(db, admin, 'platformFee', fee, async (tx, before) => {
    if (isSameFee(before, fee)) return;
    const message = composeFeeMessage({ before, fee, brand: await readBrand(tx) });
    await notifyAll(tx, sql`select coach_id from coaches where is_active`, { kind: 'fee_changed' }, message);
  });
}

/**
 * Sets whether new payruns need two admins, and notifies the other admins of a change. Throws `conflict` if payruns
 * would need two admins but there is only one, because no payrun could then be paid.
 */
export function changePayrunControl(db: Database, admin: Person, control: PayrunControl): Promise<Settings> {
  return updateSetting(db, admin, 'payrunControl', control, async (tx) => {
    if (control.needsSecondAdmin) await assertSecondAdmin(tx, 'needsSecondAdmin');
    await notifyOthers(tx, admin, (names) => composePayrunControlMessage({ ...names, ...control }));
  });
}

/**
 * Sets how much of a booking one admin can refund alone, and notifies the other admins of a change. Throws `conflict`
 * for a limit if there is only one admin, because no refund above it could then be made.
 */
export function changeRefundControl(db: Database, admin: Person, control: RefundControl): Promise<Settings> {
  return updateSetting(db, admin, 'refundControl', control, async (tx) => {
    const limitCents = control.secondAdminAboveCents;
    if (limitCents !== null) await assertSecondAdmin(tx, 'secondAdminAboveCents');
    await notifyOthers(tx, admin, (names) => composeRefundControlMessage({ ...names, limitCents }));
  });
}

/** Throws `conflict`, with a message at this field, if there is only one admin. */
async function assertSecondAdmin(tx: Tx, field: string): Promise<void> {
  const { admins } = await tx
    .selectFrom('profiles')
    .select((of) => of.fn.countAll<number>().as('admins'))
    .where(sql<boolean>`roles @> '{admin}'`)
    .executeTakeFirstOrThrow();
  if (admins >= 2) return;
  const message = "You're the only admin. Give someone else the admin role first.";
  throw new AppError('conflict', message, { fields: { [field]: message } });
}

async function notifyOthers(
  tx: Tx,
  admin: Person,
  compose: (names: { by: string; brand: string }) => NotificationMessage,
): Promise<void> {
  const names = { by: await nameActor(tx, admin), brand: await readBrand(tx) };
  await notifyAdmins(
    tx,
    { kind: 'control_changed', subjectId: admin.userId },
    { except: [admin.userId], compose: () => compose(names) },
  );
}
