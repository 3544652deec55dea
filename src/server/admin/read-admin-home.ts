import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { type AdminHome, maxCounted } from '#domain/admin/home-contract.ts';
import { answerableStatuses } from '#domain/payments/disputes.ts';
import { turnoverColumns } from '#server/bookings/ledger.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import { countWithheld, readReadySum } from '#server/payouts/payable.ts';
import type { Database } from '#server/platform/db/db.ts';

const maxApplicants = 5;

/**
 * The platform's figures for the last 7 days, including today (London time), and the tasks for an admin. Each query
 * reads little more than the index entries that it counts: the rows of those days, or the few open tasks.
 */
export async function readAdminHome(db: Database, admin: Person): Promise<AdminHome> {
  const [week, payoutsDue, waiting, withheldBookings, applicants] = await Promise.all([
    readWeek(db),
    readReadySum(db, maxCounted),
    readWaiting(db, admin),
    countWithheld(db),
    readApplicants(db),
  ]);
  return { week, payoutsDue, ...waiting, withheldBookings, applicants };
}

async function readWeek(db: Database): Promise<AdminHome['week']> {
  const { rows } = await sql<AdminHome['week']>`
    with first as (
      select ((now() at time zone 'Europe/London')::date - 6)::timestamp at time zone 'Europe/London' as instant
    )
    select ${turnoverColumns},
      (select count(*) from profiles where created_at >= (select instant from first)) as new_users
    from ledger_entries entry
    where created_at >= (select instant from first)`.execute(db);
  return rows[0]!;
}

type Waiting = Pick<AdminHome, 'givenUpRefunds' | 'openDisputes' | 'pendingPayruns' | 'waitingApplications'>;

/**
 * Counts failed refunds, disputes and applications that need an admin, and pending payruns, except payruns that this admin created and
 * another admin must pay.
 */
async function readWaiting(db: Database, { userId }: Person): Promise<Waiting> {
  type Row = Record<
    'refunds' | 'refundCents' | 'disputes' | 'payruns' | 'payrunCents' | 'waitingApplications',
    number
  > & {
    dueBy: string | null;
  };
  const { rows } = await sql<Row>`
    select refund.*, dispute.*, payrun.*,
      (select count(*)::integer from coach_applications where status = 'submitted') as waiting_applications
    from (select count(*) as refunds, coalesce(sum(amount_cents), 0)::bigint as refund_cents
        from refunds where status = 'failed') refund,
      (select count(*) as disputes, min(evidence_due_by) filter (where status <> 'lost') as due_by
        from disputes
        where ${isUnsettled} and (status = 'lost' or status = any(${answerableStatuses})
          and (evidence_asked_at is null or evidence_refusal is not null))) dispute,
      (select count(*) as payruns, coalesce(sum(total_amount_cents), 0)::bigint as payrun_cents
        from payruns
        where status = 'pending' and not (needs_second_admin and created_by = ${userId}::uuid)) payrun`.execute(
    db,
  );
  const { refunds, refundCents, disputes, dueBy, payruns, payrunCents, waitingApplications } = rows[0]!;
  return {
    givenUpRefunds: { refunds, amountCents: refundCents },
    openDisputes: { disputes, dueBy },
    pendingPayruns: { payruns, amountCents: payrunCents },
    waitingApplications,
  };
}

/** Reads the people who applied for the coach role through an open invitation and do not have the role yet. */
async function readApplicants(db: Database): Promise<AdminHome['applicants']> {
  type Row = AdminHome['applicants']['people'][number] & { count: number };
  const { rows } = await sql<Row>`
    select person.full_name, person.email, string_agg(business.business_name, ', ' order by applied_at) as business_names,
      (count(*) over ())::integer as count
    from business_invitations invitation
    join coaching_businesses business using (business_id)
    cross join lateral (select user_id from users where users.email = invitation.email limit 1) invited
    join profiles person on person.user_id = invited.user_id
    where invitation.status = 'pending' and invitation.applied_at is not null and invitation.expires_at > now()
      and not person.roles @> '{coach}'
    group by person.user_id
    order by min(invitation.applied_at)
    limit ${maxApplicants}`.execute(db);
  return { people: rows.map(({ count: _, ...person }) => person), count: rows[0]?.count ?? 0 };
}
