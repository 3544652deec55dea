import { sql } from 'kysely';
import type { Actor, Role } from '#domain/access.ts';
import { changeRoles, refuseRevokeRole } from '#domain/accounts/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { nameActor, notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import {
  composeAdminLeftMessage,
  composeAdminRoleMessage,
  composeOwnAdminRoleMessage,
} from '#server/notifications/templates/admins.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { replaceOwner } from './replace-owner.ts';

/**
 * Grants a role; returns false if the person already had the role. A new coach gets a row in `coaches`; a former coach
 * becomes active again. A new admin and all other admins are notified. Only admins and the system may grant roles.
 * `missing`: what the person lacks for the role, for the audit log. Throws `not_found` for a person without a profile.
 */
export function grantRole(
  db: Database | Tx,
  actor: Actor,
  userId: string,
  role: Role,
  { missing }: { missing?: readonly string[] } = {},
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await assertAdmin(tx, actor);
    const isNew = await storeRoles(tx, actor, userId, { add: role, missing });
    if (role === 'coach') {
      await tx
        .insertInto('coaches')
        .values({ coachId: userId })
        .onConflict((conflict) => conflict.column('coachId').doUpdateSet({ isActive: true }))
        .execute();
    }
    if (role === 'admin' && isNew) await announceAdminRole(tx, actor, userId, true);
    return isNew;
  });
}

/**
 * Revokes a role; returns whether the person had the role. A coach is hidden, but keeps their history. A business
 * without another owner is transferred to the successor, by default the member who has been a coach longest.
 * `isDeletion`: the account is being deleted, so no notification may keep the person's name. Only admins and the system
 * may revoke roles. Throws `conflict` for the last admin and `not_found` for a person without a profile.
 */
export function revokeRole(
  db: Database | Tx,
  actor: Actor,
  userId: string,
  role: Role,
  { successorId, isDeletion = false }: { successorId?: string | undefined; isDeletion?: boolean } = {},
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await assertAdmin(tx, actor);
    if (role === 'admin') assertAllowed(refuseRevokeRole(role, await lockAdmins(tx), userId));
    const isGone = await storeRoles(tx, actor, userId, { remove: role });
    if (role === 'coach') {
      await replaceOwner(tx, actor, userId, successorId);
      await tx.updateTable('coaches').set({ isActive: false }).where('coachId', '=', userId).execute();
    }
    if (role === 'admin' && isGone) {
      if (isDeletion) await announceAdminLeft(tx, userId);
      else await announceAdminRole(tx, actor, userId, false);
    }
    return isGone;
  });
}

/** Notifies the person, even of their own change, and all other admins except the one who made the change. */
async function announceAdminRole(tx: Tx, actor: Actor, userId: string, isGranted: boolean): Promise<void> {
  const [by, brand] = [await nameActor(tx, actor), await readBrand(tx)];
  const person = await readRecipient(tx, userId);
  const isOwn = 'userId' in actor && actor.userId === userId;
  const event = { kind: 'control_changed', subjectId: userId, aboutUserId: userId } as const;
  const own = composeOwnAdminRoleMessage({ by: isOwn ? null : by, isGranted, brand });
  await notify(tx, person, { ...event, kind: 'role_changed' }, own);
  const name = person.fullName || person.email;
  await notifyAdmins(tx, event, {
    except: [userId, ...('userId' in actor ? [actor.userId] : [])],
    compose: () => composeAdminRoleMessage({ person: name, by: isOwn ? null : by, isGranted, brand }),
  });
}

/**
 * Notifies all other admins. The notification has no `aboutUserId`, and only its email names the person. Otherwise the
 * erasure of the account would delete the notification before it is sent.
 */
async function announceAdminLeft(tx: Tx, userId: string): Promise<void> {
  const { fullName, email } = await readRecipient(tx, userId);
  const brand = await readBrand(tx);
  await notifyAdmins(
    tx,
    { kind: 'control_changed', subjectId: userId },
    { except: [userId], compose: () => composeAdminLeftMessage({ person: fullName || email, brand }) },
  );
}

const inTransaction = <T>(db: Database | Tx, change: (tx: Tx) => Promise<T>): Promise<T> =>
  db.isTransaction ? change(db as Tx) : db.transaction().execute(change);

// An admin may have lost the role since the request was authenticated, so the roles are read again.
async function assertAdmin(tx: Tx, actor: Actor): Promise<void> {
  if ('system' in actor) return;
  if (!(await lockAdmins(tx)).includes(actor.userId)) {
    throw new AppError('forbidden', 'Only admins can change roles.');
  }
}

/** Locks and returns all admins, so that two admins cannot revoke each other's role simultaneously. */
async function lockAdmins(tx: Tx): Promise<string[]> {
  const admins = await tx
    .selectFrom('profiles')
    .select('userId')
    .where(sql<boolean>`roles @> '{admin}'`)
    .orderBy('userId')
    // Unlike `for update`, this lock does not block audit events about these admins, which other transactions may be
    // writing while they wait for a team's lock.
    .forNoKeyUpdate()
    .execute();
  return admins.map(({ userId }) => userId);
}

async function storeRoles(
  tx: Tx,
  actor: Actor,
  userId: string,
  { missing, ...change }: { add?: Role; remove?: Role; missing?: readonly string[] | undefined },
): Promise<boolean> {
  const profile = await tx
    .selectFrom('profiles')
    .select('roles')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!profile) throw new AppError('not_found', 'Person not found.');
  const before = profile.roles;
  const after = changeRoles(before, change);
  if (before.length === after.length) return false;
  await tx.updateTable('profiles').set({ roles: after }).where('userId', '=', userId).execute();
  await recordAudit(tx, actor, {
    action: change.add ? 'role.granted' : 'role.revoked',
    subjectType: 'profile',
    subjectId: userId,
    before: { roles: before },
    after: { roles: after, ...(missing && { missing }) },
  });
  return true;
}
