import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { type AdminHome, maxCounted } from '#domain/admin/home-contract.ts';
import { answerableStatuses } from '#domain/payments/disputes.ts';
import { turnoverColumns } from '#server/bookings/ledger.ts';
import { isUnsettled } from '#server/payments/unsettled-disputes.ts';
import { countWithheld, readReadySum } from '#server/payouts/payable.ts';
import type { Database } from '#server/platform/db/db.ts';
import { countOpenConcerns } from '#server/progress/welfare-concerns.ts';

/**
 * The platform's figures for the last 7 days, including today (London time), and the tasks for an admin. Each query
 * reads little more than the index entries that it counts: the rows of those days, or the few open tasks.
 */
export async function readAdminHome(db: Database, admin: Person): Promise<AdminHome> {
  const [week, payoutsDue, waiting, withheldBookings, welfareConcerns] = await Promise.all([
    readWeek(db),
    readReadySum(db, maxCounted),
    readWaiting(db, admin),
    countWithheld(db),
    countOpenConcerns(db, admin),
  ]);
  return { week, payoutsDue, ...waiting, withheldBookings, welfareConcerns };
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

type Waiting = Omit<AdminHome, 'week' | 'payoutsDue' | 'withheldBookings' | 'welfareConcerns'>;

/**
 * Counts failed refunds, disputes, applications, documents and cases about reviews that need an admin, and pending
 * payruns, except payruns that this admin created and another admin must pay.
 */
async function readWaiting(db: Database, { userId }: Person): Promise<Waiting> {
  type Row = Record<
    | 'refunds'
    | 'refundCents'
    | 'disputes'
    | 'payruns'
    | 'payrunCents'
    | 'waitingApplications'
    | 'waitingDocuments',
    number
  > & { dueBy: string | null; reviewCases: AdminHome['reviewCases'] };
  const { rows } = await sql<Row>`
    select refund.*, dispute.*, payrun.*,
      (select count(*)::integer from coach_applications where status = 'submitted') as waiting_applications,
      (select count(*)::integer from coach_documents where status = 'submitted') as waiting_documents,
      (select jsonb_build_object('open', count(*), 'overdue', count(*) filter (where due_at < now()))
        from review_cases where outcome is null) as review_cases
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
  const { refunds, refundCents, disputes, dueBy, payruns, payrunCents, ...others } = rows[0]!;
  return {
    failedRefunds: { refunds, amountCents: refundCents },
    openDisputes: { disputes, dueBy },
    pendingPayruns: { payruns, amountCents: payrunCents },
    ...others,
  };
}
