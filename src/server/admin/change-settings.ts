import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { PayrunControl, PlatformFee, Settings } from '#domain/settings/contract.ts';
import { isSameFee } from '#domain/settings/platform-fee.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composePayrunControlEmail } from '#server/notifications/templates/admins.ts';
import { composeFeeEmail } from '#server/notifications/templates/platform-fee.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { readBrand } from '#server/settings/queries.ts';
import { updateSetting } from '#server/settings/update-setting.ts';

type Parts = { db: Database; config: Pick<Config, 'publicUrl'> };

/** Changes the fee of future bookings. Every coach is emailed, unless the change affects nobody. */
export function changePlatformFee({ db, config }: Parts, admin: Person, fee: PlatformFee): Promise<Settings> {
  return updateSetting(db, admin, 'platformFee', fee, async (tx, before) => {
    if (isSameFee(before, fee)) return;
    const received = composeFeeEmail({
      before,
      fee,
      brand: await readBrand(tx),
      earningsUrl: `${config.publicUrl}/coach/earnings`,
    });
    // One statement for thousands of coaches, since all get the same text.
    await sql`
      select ${addJob('notifications.send', { ...received, to: sql<string>`profile.email` })}
      from coaches
      join profiles profile on profile.user_id = coaches.coach_id
      where coaches.is_active and profile.deleted_at is null`.execute(tx);
  });
}

/**
 * Sets whether new payruns take two admins; the other admins are emailed. Throws `conflict` if there is only one
 * admin, who could pay nobody any more.
 */
export function changePayrunControl({ db }: Parts, admin: Person, control: PayrunControl): Promise<Settings> {
  return updateSetting(db, admin, 'payrunControl', control, async (tx) => {
    const { admins } = await tx
      .selectFrom('profiles')
      .select((of) => of.fn.countAll<number>().as('admins'))
      .where(sql<boolean>`roles @> '{admin}'`)
      .executeTakeFirstOrThrow();
    if (control.needsSecondAdmin && admins < 2) {
      const message = 'You are the only admin. Give somebody else the admin role first.';
      throw new AppError('conflict', message, { fields: { needsSecondAdmin: message } });
    }
    const [by, brand] = [await nameActor(tx, admin), await readBrand(tx)];
    await notifyAdmins(tx, {
      except: [admin.userId],
      compose: ({ email: to }) => composePayrunControlEmail({ to, by, brand, ...control }),
    });
  });
}
