import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import {
  type ApplicationDraft,
  listMissing,
  type OwnApplication,
  refuseEdit,
} from '#domain/verification/application.ts';
import type { applicationsApi } from '#domain/verification/applications-contract.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composeNewApplicationMessage } from '#server/notifications/team-templates/coach-applications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readBrand, readSetting } from '#server/settings/queries.ts';
import { findLatest } from './application-rows.ts';
import { approveApplication } from './approve-application.ts';

type Answer = { application: OwnApplication };
const isOpen = ({ status }: OwnApplication) => ['draft', 'submitted', 'changes'].includes(status);

/** The person's latest application (null if there is none), and how people join this club as coaches. */
export async function getOwnApplication(
  db: Database,
  userId: string,
): Promise<OutputOf<typeof applicationsApi.getOwn>> {
  const [application, { joining }] = await Promise.all([
    findLatest(db, userId),
    readSetting(db, 'coachJoining'),
  ]);
  return { application: application ?? null, joining };
}

/**
 * Saves what the person has entered, in the open application or a new draft. Throws `conflict` for a coach and
 * while the application waits for a decision.
 */
export function saveDraft(db: Database, { userId }: Person, entered: ApplicationDraft): Promise<Answer> {
  return db.transaction().execute(async (tx) => {
    await assertNotCoach(tx, userId);
    // Two tabs may save the first draft at the same time. The second save updates the row of the first.
    await sql`
      insert into coach_applications (user_id) values (${userId}::uuid)
      on conflict (user_id) where status in ('draft', 'submitted', 'changes') do nothing`.execute(tx);
    const before = await lockOpen(tx, userId);
    assertAllowed(refuseEdit(before.status));
    await sql`
      update coach_applications set headline = ${entered.headline}, bio = ${entered.bio},
        sports = ${entered.sports}, nations = ${entered.nations}, experience = ${entered.experience},
        coaches_juniors = ${entered.coachesJuniors}, updated_at = now(),
        terms_accepted_at = case when ${entered.hasAcceptedTerms} then coalesce(terms_accepted_at, now()) end
      where application_id = ${before.applicationId}::uuid`.execute(tx);
    return { application: (await findLatest(tx, userId))! };
  });
}

/**
 * Submits the application. If the club lets coaches join at once, the application is approved in the same transaction;
 * otherwise the admins are notified. Repeated calls change nothing. Throws `unprocessable` with a message for each
 * missing field, `conflict` for a coach, and `not_found` without an open application.
 */
export function submitApplication(db: Database, person: Person): Promise<Answer> {
  return db.transaction().execute(async (tx) => {
    const { userId } = person;
    const latest = await findLatest(tx, userId, { isLocked: true });
    // A repeated request returns the result of the first one.
    if (latest?.status === 'submitted') return { application: latest };
    if (latest?.status === 'approved' && (await isCoach(tx, userId))) return { application: latest };
    await assertNotCoach(tx, userId);
    if (!latest || !isOpen(latest)) throw new AppError('not_found', 'You have no application to submit.');
    const fields = listMissing(latest);
    if (Object.keys(fields).length > 0) {
      throw new AppError('unprocessable', "Your application isn't complete yet.", { fields });
    }
    const { applicationId } = latest;
    await sql`
      update coach_applications set status = 'submitted', submitted_at = now(), updated_at = now(),
        decision_message = null, decided_at = null, decided_by = null
      where application_id = ${applicationId}::uuid`.execute(tx);
    await recordStep(tx, person, applicationId, 'submitted', { from: latest.status });
    await keepInvitations(tx, userId);
    const { joining } = await readSetting(tx, 'coachJoining');
    if (joining === 'at_once') {
      const submitted = { applicationId, userId, status: 'submitted' } as const;
      await approveApplication(tx, { system: 'coaches join at once' }, submitted);
    } else {
      await notifyOfApplication(tx, userId, applicationId);
    }
    return { application: (await findLatest(tx, userId))! };
  });
}

/**
 * Withdraws the open application. Repeated calls change nothing. Throws `conflict` if the application has been decided
 * and `not_found` if there is none.
 */
export function withdrawApplication(db: Database, person: Person): Promise<Answer> {
  return db.transaction().execute(async (tx) => {
    const latest = await findLatest(tx, person.userId, { isLocked: true });
    if (!latest) throw new AppError('not_found', 'You have no application.');
    if (latest.status === 'withdrawn') return { application: latest };
    if (!isOpen(latest)) {
      const decision = latest.status === 'approved' ? 'approved' : 'declined';
      throw new AppError('conflict', `Your application has already been ${decision}.`);
    }
    await sql`
      update coach_applications set status = 'withdrawn', decided_at = now(), updated_at = now(), decided_by = null
      where application_id = ${latest.applicationId}::uuid`.execute(tx);
    await recordStep(tx, person, latest.applicationId, 'withdrawn', { from: latest.status });
    return { application: (await findLatest(tx, person.userId))! };
  });
}

async function lockOpen(tx: Tx, userId: string): Promise<OwnApplication> {
  const latest = await findLatest(tx, userId, { isLocked: true });
  if (latest && isOpen(latest)) return latest;
  throw new AppError('conflict', 'Your application has just been decided. Reload the page.');
}

const isCoach = async (tx: Tx, userId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from profiles where user_id = ${userId}::uuid and roles @> '{coach}'`.execute(tx);
  return rows.length > 0;
};

async function assertNotCoach(tx: Tx, userId: string): Promise<void> {
  if (await isCoach(tx, userId)) throw new AppError('conflict', "You're already a coach.");
}

const recordStep = (tx: Tx, actor: Person, subjectId: string, step: string, { from }: { from: string }) =>
  recordAudit(tx, actor, {
    action: `coach_application.${step}`,
    subjectType: 'coach_application',
    subjectId,
    before: { status: from },
    after: { status: step },
  });

/**
 * Marks the person's pending team invitations. Once the person is a coach, a notification says that the invitations can
 * be accepted.
 */
async function keepInvitations(tx: Tx, userId: string): Promise<void> {
  await sql`
    update business_invitations set applied_at = coalesce(applied_at, now())
    where status = 'pending' and expires_at > now()
      and email = (select email from users where user_id = ${userId}::uuid)`.execute(tx);
}

async function notifyOfApplication(tx: Tx, userId: string, applicationId: string): Promise<void> {
  const person = await tx
    .selectFrom('profiles')
    .select(['fullName', 'email'])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const applicant = person.fullName || person.email;
  const brand = await readBrand(tx);
  const { rows } = await sql<{ version: string }>`
    select submitted_at::text as version from coach_applications
    where application_id = ${applicationId}::uuid`.execute(tx);
  const { version } = rows[0]!;
  const event = {
    kind: 'coach_application',
    subjectId: applicationId,
    aboutUserId: userId,
    version,
  } as const;
  await notifyAdmins(tx, event, {
    compose: ({ fullName }) => composeNewApplicationMessage({ fullName, applicant, applicationId, brand }),
  });
}
