import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { describeDevice } from '#domain/accounts/device-words.ts';
import type { OwnData } from '#domain/payouts/account-contract.ts';
import { findProfile, readAccountFacts } from '#server/accounts/queries.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { getBankDetails } from './bank-details.ts';

/** Everything that is kept of a person, read now; nothing of anybody else but the names of their coaches. */
export async function collectOwnData(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  { userId }: Person,
): Promise<OwnData> {
  const [user, profile, facts, sessions, bookings, coach, teamInvitations, auditLog] = await Promise.all([
    db.selectFrom('users').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow(),
    findProfile(db, userId),
    readAccountFacts(db, userId),
    db
      .selectFrom('sessions')
      .select(['userAgent', 'ipAddress', 'createdAt', 'refreshedAt', 'endedAt'])
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .execute(),
    listOwnBookings(db, userId),
    readCoach(db, config, userId),
    db
      .selectFrom('businessInvitations as invitation')
      .innerJoin('coachingBusinesses as business', 'business.businessId', 'invitation.businessId')
      .innerJoin('users', 'users.email', 'invitation.email')
      .select(['business.businessName', 'invitation.status', 'invitation.createdAt', 'invitation.expiresAt'])
      .where('users.userId', '=', userId)
      .orderBy('invitation.createdAt')
      .execute(),
    listOwnAudit(db, userId),
  ]);
  return {
    madeAt: new Date().toISOString(),
    account: {
      userId,
      email: user.email,
      newEmail: facts.emailChange?.newEmail ?? null,
      fullName: profile?.fullName ?? user.fullName ?? '',
      roles: profile?.roles ?? [],
      createdAt: user.createdAt,
      emailConfirmedAt: user.emailConfirmedAt,
      lastSignInAt: user.lastSignInAt,
      isTwoStepSignInOn: facts.factors.some(({ status }) => status === 'verified'),
      savedCard: profile?.paymentMethodLastFour
        ? { brand: profile.paymentMethodBrand ?? '', lastFour: profile.paymentMethodLastFour }
        : null,
    },
    sessions: sessions.map(({ createdAt, refreshedAt, ...session }) => ({
      ...session,
      device: describeDevice(session.userAgent ?? ''),
      signedInAt: createdAt,
      lastSeenAt: refreshedAt,
    })),
    bookings,
    coach,
    teamInvitations,
    auditLog,
  };
}

async function listOwnBookings(db: Database, userId: string): Promise<OwnData['bookings']> {
  const { rows } = await sql<OwnData['bookings'][number]>`
    select booking.booking_id, booking.status, booking.title, booking.description, booking.sport, booking.coach_name,
      lower(booking.during) as start_time, upper(booking.during) as end_time,
      nullif(concat_ws(', ', location ->> 'name', location ->> 'address', location ->> 'city', location ->> 'postcode'), '')
        as place,
      booking.changed_to, booking.relocated_from -> 'location' as relocated_from,
      lower(booking.moved_from) as moved_from,
      booking.amount_cents, booking.created_at, booking.cancelled_at, booking.attended, payment.card_brand,
      payment.card_last_four, refund.amount_cents as refund_cents, refund.status as refund_status
    from bookings booking
    join payments payment using (payment_id)
    left join refunds refund on refund.payment_id = payment.payment_id
    where booking.customer_user_id = ${userId}::uuid
    order by booking.created_at, booking.booking_id`.execute(db);
  return rows;
}

async function readCoach(
  db: Database,
  { dataKeys }: Pick<Config, 'dataKeys'>,
  coachId: string,
): Promise<OwnData['coach']> {
  const coach = await db.selectFrom('coaches').selectAll().where('coachId', '=', coachId).executeTakeFirst();
  if (!coach) return null;
  const [business, bankDetails, locations, templates, lessons, ledger] = await Promise.all([
    coach.businessId
      ? db
          .selectFrom('coachingBusinesses')
          .selectAll()
          .where('businessId', '=', coach.businessId)
          .executeTakeFirst()
      : undefined,
    getBankDetails(db, dataKeys, coachId),
    db
      .selectFrom('locations')
      .select(['name', 'address', 'city', 'postcode'])
      .where('coachId', '=', coachId)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('lessonTemplates')
      .select(['title', 'description', 'sport', 'durationMinutes', 'basePriceCents', 'createdAt'])
      .where('coachId', '=', coachId)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('lessonSlots as slot')
      .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
      .select([
        'template.title',
        'slot.startTime',
        'slot.endTime',
        'slot.status',
        'slot.priceCents',
        'slot.bookedCount',
        'slot.maxCapacity',
      ])
      .where('slot.coachId', '=', coachId)
      .orderBy('slot.startTime')
      .execute(),
    db
      .selectFrom('ledgerEntries as entry')
      .innerJoin('bookings as booking', 'booking.bookingId', 'entry.bookingId')
      .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
      .select(['entry.bookingId', 'entry.kind', 'entry.amountCents', 'entry.createdAt'])
      .where('slot.coachId', '=', coachId)
      .orderBy('entry.entryId')
      .execute(),
  ]);
  const isOwner = coach.businessRole === 'owner';
  return {
    ...coach,
    business: business
      ? {
          businessName: business.businessName,
          businessRole: coach.businessRole,
          // The rest belongs to the owners.
          businessEmail: isOwner ? business.businessEmail : null,
          businessPhone: isOwner ? business.businessPhone : null,
          businessAddress: isOwner ? business.businessAddress : null,
          taxId: isOwner ? business.taxId : null,
        }
      : null,
    bankDetails,
    locations,
    templates,
    lessons,
    ledger,
  };
}

async function listOwnAudit(db: Database, userId: string): Promise<OwnData['auditLog']> {
  const rows = await db
    .selectFrom('auditLog')
    .select(['at', 'action', 'subjectType', 'subjectId', 'actorUserId', 'before', 'after'])
    .where((is) => is.or([is('actorUserId', '=', userId), is('subjectId', '=', userId)]))
    .orderBy('auditId')
    .execute();
  return rows.map(({ subjectId, actorUserId, before, after, ...entry }) => {
    const isAboutThem = subjectId === userId;
    return {
      ...entry,
      isOwnDeed: actorUserId === userId,
      before: isAboutThem ? before : null,
      after: isAboutThem ? after : null,
    };
  });
}
