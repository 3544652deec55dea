import { type RawBuilder, sql } from 'kysely';
import { type CareState, careStateOf } from '#domain/accounts/care.ts';
import type { ConsentsInForce } from '#domain/accounts/consents.ts';
import type { ParticipantKind } from '#domain/accounts/participants.ts';
import type { GuardianInvitation, Participant } from '#domain/accounts/participants-contract.ts';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** SQL for an array with the ids of the participants that a person may act for: their own and their dependants'. */
export const participantsOf = (userId: string): RawBuilder<string[]> =>
  sql`array(select ${userId}::uuid union all select participant_id from guardians where user_id = ${userId}::uuid)`;

/** SQL for the number of a participant's booked and held lessons that are not over. */
export const upcomingLessonsOf = (participantId: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from bookings
    where participant_id = ${participantId} and is_active and during && tstzrange(now(), null))`;

export const noParticipant = () => new AppError('not_found', 'This person is not in your family list.');

type ParticipantRow = Omit<Participant, 'consents' | 'careState'> & {
  consents: ConsentsInForce | null;
};

const selectParticipants = (userId: string, which: RawBuilder<unknown>) => sql<ParticipantRow>`
  select participant.participant_id, participant.kind, name_of_participant(participant) as full_name,
    participant.known_as, participant.date_of_birth, mine.relation, care.confirmed_at as care_confirmed_at,
    ${upcomingLessonsOf(sql`participant.participant_id`)} as upcoming_lessons,
    coalesce((
      select jsonb_agg(jsonb_build_object('fullName', coalesce(nullif(person.full_name, ''), person.email),
        'relation', guardian.relation, 'isMe', guardian.user_id = ${userId}::uuid) order by guardian.created_at, guardian.user_id)
      from guardians guardian join profiles person using (user_id)
      where guardian.participant_id = participant.participant_id), '[]') as guardians,
    (select jsonb_object_agg(kind, choice) from (
      select distinct on (kind) kind, choice from consents
      where consents.participant_id = participant.participant_id order by kind, consent_id desc) latest) as consents
  from participants participant
  left join guardians mine on mine.participant_id = participant.participant_id and mine.user_id = ${userId}::uuid
  left join participant_care care on care.participant_id = participant.participant_id
  where participant.deleted_at is null and ${which}
  order by participant.kind = 'self' desc, lower(participant.full_name), participant.participant_id`;

function toParticipant({ consents, ...row }: ParticipantRow): Participant {
  return {
    ...row,
    consents: {
      photos: consents?.photos ?? null,
      firstAid: consents?.first_aid ?? null,
      medical: consents?.medical ?? null,
    },
    careState: careStateOf(row.careConfirmedAt, Date.now()) satisfies CareState,
  };
}

/** Everyone a person may book for: the person first, then the dependants by name. */
export async function listParticipants(db: Database, userId: string): Promise<Participant[]> {
  const { rows } = await selectParticipants(
    userId,
    sql`participant.participant_id = any(${participantsOf(userId)})`,
  ).execute(db);
  return rows.map(toParticipant);
}

/** One participant that this person may act for; throws `not_found` for any other. */
export async function getParticipant(
  db: Database | Tx,
  userId: string,
  participantId: string,
): Promise<Participant> {
  const { rows } = await selectParticipants(
    userId,
    sql`participant.participant_id = ${participantId}::uuid and participant.participant_id = any(${participantsOf(userId)})`,
  ).execute(db);
  if (!rows[0]) throw noParticipant();
  return toParticipant(rows[0]);
}

/** Throws `not_found` unless this person may act for the participant. */
export async function assertMayActFor(db: Database, userId: string, participantId: string): Promise<void> {
  const { rows } = await sql`
    select from participants
    where participant_id = ${participantId}::uuid and deleted_at is null
      and participant_id = any(${participantsOf(userId)})`.execute(db);
  if (!rows[0]) throw noParticipant();
}

/**
 * The pending invitations to become a guardian of a participant, oldest first. The caller must already have checked
 * access.
 */
export function listGuardianInvitations(db: Database, participantId: string): Promise<GuardianInvitation[]> {
  return db
    .selectFrom('guardianInvitations')
    .select(['guardianInvitationId', 'email', 'expiresAt', sql<boolean>`expires_at <= now()`.as('isExpired')])
    .where('participantId', '=', participantId)
    .where('status', '=', 'pending')
    .orderBy('createdAt')
    .orderBy('guardianInvitationId')
    .execute();
}

export type LockedParticipant = {
  participantId: string;
  kind: ParticipantKind;
  fullName: string;
  knownAs: string | null;
  dateOfBirth: string | null;
};

/**
 * Locks a participant that this person may act for; throws `not_found` for any other. Bookings wait for the lock only
 * with `blocksBookings`.
 */
export async function lockParticipant(
  tx: Tx,
  userId: string,
  participantId: string,
  { blocksBookings = false } = {},
): Promise<LockedParticipant> {
  const { rows } = await sql<LockedParticipant>`
    select participant_id, kind, name_of_participant(participant) as full_name, known_as, date_of_birth
    from participants participant
    where participant_id = ${participantId}::uuid and deleted_at is null
      and participant_id = any(${participantsOf(userId)})
    ${blocksBookings ? sql`for update` : sql`for no key update`}`.execute(tx);
  if (!rows[0]) throw noParticipant();
  return rows[0];
}

/** Counts a participant's guardians and upcoming lessons. */
export async function readLeavingFacts(
  tx: Tx,
  participantId: string,
): Promise<{ guardians: number; upcomingLessons: number }> {
  const { rows } = await sql<{ guardians: number; upcomingLessons: number }>`
    select (select count(*)::int from guardians where participant_id = ${participantId}::uuid) as guardians,
      ${upcomingLessonsOf(sql`${participantId}::uuid`)} as upcoming_lessons`.execute(tx);
  return rows[0]!;
}

/** Locks a person's own participant and returns how many dependants they book for. */
export async function countDependants(tx: Tx, userId: string): Promise<number> {
  await lockParticipant(tx, userId, userId);
  const { rows } = await sql<{ dependants: number }>`
    select count(*)::int as dependants from guardians where user_id = ${userId}::uuid`.execute(tx);
  return rows[0]!.dependants;
}
