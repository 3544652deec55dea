import { sql } from 'kysely';
import type { Person, Role } from '#domain/access.ts';
import type { adminApi, ListedUser, RoleObstacles } from '#domain/admin/contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { nameActor } from '#server/accounts/notify-admins.ts';
import { unfinishedOfCustomer } from '#server/bookings/queries.ts';
import { answerApplicants } from '#server/businesses/answer-applicants.ts';
import { grantRole, revokeRole } from '#server/businesses/change-roles.ts';
import { notifyMembers } from '#server/businesses/notify-members.ts';
import { findOrphanedBusiness, type OrphanedBusiness } from '#server/businesses/replace-owner.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeRoleMessage } from '#server/notifications/templates/roles.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { settleByHand } from '#server/verification/applications/approve-application.ts';
import { readNeeded } from '#server/verification/documents/needed-documents.ts';
import { selectListedUsers } from './list-users.ts';

type Wish = ParsedInputOf<typeof adminApi.changeRole>;

/**
 * Grants or revokes a role on an admin's behalf. Revoking the coach role hides the coach and leaves booked lessons
 * unchanged. The admin must confirm the number of lessons and name a successor for a business without another owner.
 * Revoking the customer role leaves bookings and refunds unchanged. The admin must confirm the number of lessons and
 * the total of the refunds (docs/decisions/0047). Throws `conflict` with {@link RoleObstacles} until confirmed,
 * `conflict` for the last admin and `not_found` for a person without a profile.
 */
export function changeRole(db: Database, admin: Person, wish: Wish): Promise<ListedUser> {
  const { userId, role } = wish;
  return db.transaction().execute(async (tx) => {
    const isChanged = await storeChange(tx, admin, wish);
    // `grantRole` and `revokeRole` send the messages about the admin role.
    if (isChanged && role !== 'admin') await notifyPerson(tx, admin, { ...wish, role });
    return selectListedUsers(tx).where('userId', '=', userId).executeTakeFirstOrThrow();
  });
}

/** Grants or revokes the role; returns whether the person's roles changed. */
function storeChange(tx: Tx, admin: Person, wish: Wish): Promise<boolean> {
  const { userId, role, isHeld } = wish;
  if (isHeld && role === 'coach') return grantCoachRole(tx, admin, userId);
  if (isHeld) return grantRole(tx, admin, userId, role);
  if (role === 'coach') return takeCoachRole(tx, admin, wish);
  if (role === 'customer') return takeCustomerRole(tx, admin, wish);
  return revokeRole(tx, admin, userId, role);
}

/**
 * Notifies the person, unless the person is the acting admin. A new coach who applied through team invitations gets one
 * message for each team instead, with the next step.
 */
async function notifyPerson(
  tx: Tx,
  admin: Person,
  { userId, role, isHeld }: Wish & { role: Exclude<Role, 'admin'> },
): Promise<void> {
  if (userId === admin.userId) return;
  const needed = isHeld && role === 'coach' ? await readNeeded(tx, userId) : null;
  if (needed && (await answerApplicants(tx, userId, needed)) > 0) return;
  const person = await readRecipient(tx, userId);
  const [by, brand] = [await nameActor(tx, admin), await readBrand(tx)];
  const { fullName } = person;
  const event = { kind: 'role_changed', subjectId: userId } as const;
  await notify(
    tx,
    person,
    event,
    composeRoleMessage({ fullName, role, by, isGranted: isHeld, brand, needed }),
  );
}

/** When an admin grants the coach role directly, the audit log names what the coach lacks. */
async function grantCoachRole(tx: Tx, admin: Person, userId: string): Promise<boolean> {
  // Locks the application before the admins, in the same order as a decision about it.
  const missing = await settleByHand(tx, admin, userId);
  return grantRole(tx, admin, userId, 'coach', { missing });
}

async function takeCoachRole(
  tx: Tx,
  admin: Person,
  { userId, expectedLessons, successorId }: Wish,
): Promise<boolean> {
  const business = await findOrphanedBusiness(tx, userId);
  const isGone = await revokeRole(tx, admin, userId, 'coach', { successorId: successorId ?? undefined });
  if (!isGone) return false;
  const lessonsAhead = await countLessonsAhead(tx, userId);
  const successor = business?.successors.find(({ coachId }) => coachId === successorId);
  const isSettled = business === null || Boolean(successor) || isSuccessorKnown(business, successorId);
  if (lessonsAhead > expectedLessons || !isSettled) throw explainObstacles(lessonsAhead, business);
  if (business && successor) await notifyMembers(tx, 'took over', business.businessName, [successor]);
  return true;
}

async function takeCustomerRole(
  tx: Tx,
  admin: Person,
  { userId, expectedLessons, expectedRefundCents }: Wish,
): Promise<boolean> {
  const isGone = await revokeRole(tx, admin, userId, 'customer');
  if (!isGone) return false;
  const { lessonsAhead, refundCents } = await readCustomerMatters(tx, userId);
  if (lessonsAhead <= expectedLessons && refundCents <= expectedRefundCents) return true;
  const sentences = [
    ...(lessonsAhead > 0 ? [`This customer still has ${describeLessons(lessonsAhead)}.`] : []),
    ...(refundCents > 0
      ? [`Refunds of ${formatPounds(refundCents)} to this customer are still outstanding.`]
      : []),
    'Confirm that you want to remove the role anyway.',
  ];
  const details: RoleObstacles = { lessonsAhead, refundCents, business: null };
  throw new AppError('conflict', sentences.join(' '), { details });
}

/** The number of booked or pending lessons that are not over yet, and the outstanding refunds, in minor units. */
async function readCustomerMatters(tx: Tx, userId: string) {
  const { rows } = await sql<{ lessonsAhead: number; refundCents: number }>`
    select ${unfinishedOfCustomer(sql`${userId}::uuid`)}`.execute(tx);
  return rows[0]!;
}

/** Whether no member can take over the business and the admin has confirmed this with null. */
const isSuccessorKnown = ({ successors }: OrphanedBusiness, successorId: Wish['successorId']) =>
  successors.length === 0 && successorId === null;

function explainObstacles(lessonsAhead: number, business: OrphanedBusiness | null): AppError {
  const sentences = [
    ...(lessonsAhead > 0 ? [`This coach still has ${describeLessons(lessonsAhead)}.`] : []),
    ...(business ? [`This coach is the only owner of ${business.businessName}.`] : []),
    'Confirm that you want to remove the role anyway.',
  ];
  const details: RoleObstacles = {
    lessonsAhead,
    refundCents: 0,
    business: business && {
      businessName: business.businessName,
      successors: business.successors.map(({ coachId, fullName }) => ({ coachId, fullName })),
    },
  };
  return new AppError('conflict', sentences.join(' '), { details });
}

const describeLessons = (count: number) => (count === 1 ? '1 booked lesson' : `${count} booked lessons`);

async function countLessonsAhead(tx: Tx, coachId: string): Promise<number> {
  const { lessons } = await tx
    .selectFrom('lessonSlots')
    .select((of) => of.fn.countAll<number>().as('lessons'))
    .where('coachId', '=', coachId)
    .where('status', '=', 'scheduled')
    .where('bookedCount', '>', 0)
    .where('startTime', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow();
  return lessons;
}
