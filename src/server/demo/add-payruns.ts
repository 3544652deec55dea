import { sql } from 'kysely';
import { defaultReference } from '#domain/payouts/payruns.ts';
import { wallTimeOf } from '#domain/time.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Paid } from './charge-demo.ts';
import { demoAccounts } from './demo-coaches.ts';
import { at, demoId, feeOf } from './plan-demo.ts';

const day = 86_400_000;
const [paidUntilDays, pendingUntilDays] = [14, 7];

type Item = { bookingId: string; coachId: string; amountCents: number };
type DemoPayrun = { payrunId: string; createdMs: number; paidMs: number | null; items: Item[] };

/**
 * Plans the club's payouts to its coaches: a paid payrun for every month up to two weeks ago, and a pending payrun for
 * the week after that. Every second coach is left for the next payrun, as are coaches without bank details.
 */
export function planPayruns(bookings: Paid[], now: number): DemoPayrun[] {
  const byName = new Map<string, DemoPayrun>();
  for (const { bookingId, slot, status } of [...bookings].sort((a, b) => a.slot.endMs - b.slot.endMs)) {
    const isReady = slot.coach % 2 === 0 && demoAccounts.accountNumbers[slot.coach];
    if (!isReady || status === 'refunded' || slot.priceCents === 0) continue;
    if (slot.endMs > now - pendingUntilDays * day) continue;
    const isPaid = slot.endMs <= now - paidUntilDays * day;
    const name = isPaid ? wallTimeOf(slot.endMs).date.slice(0, 7) : 'pending';
    const payrun = byName.get(name) ?? {
      payrunId: demoId(`payrun ${name}`, 0),
      createdMs: 0,
      paidMs: null,
      items: [],
    };
    byName.set(name, payrun);
    payrun.items.push({
      bookingId,
      coachId: demoId('coach', slot.coach),
      amountCents: slot.priceCents - feeOf(slot),
    });
    payrun.createdMs = slot.endMs + 2 * day;
    payrun.paidMs = isPaid ? slot.endMs + 3 * day : null;
  }
  return [...byName.values()];
}

/** Inserts payruns with their recipients, items, ledger entries and audit events. */
export async function addPayruns(tx: Tx, payruns: DemoPayrun[], adminId: string): Promise<void> {
  const rows = payruns.map(({ payrunId, createdMs, paidMs, items }) => ({
    payrunId,
    status: paidMs ? ('paid' as const) : ('pending' as const),
    totalAmountCents: items.reduce((sum, { amountCents }) => sum + amountCents, 0),
    paymentReference: defaultReference(payrunId),
    createdAt: at(createdMs),
    createdBy: adminId,
    paidAt: paidMs ? at(paidMs) : null,
    paidBy: paidMs ? adminId : null,
  }));
  if (rows.length === 0) return;
  const items = payruns.flatMap(({ payrunId, items }) => items.map((item) => ({ ...item, payrunId })));
  await tx.insertInto('payruns').values(rows).execute();
  await sql`
    insert into payrun_recipients (payrun_id, coach_id, amount_cents, account_name, account_number_encrypted,
      sort_code_encrypted, recipient_type, bank_country, bank_details_at)
    select payrun_id, coach_id, total.cents, account_name, account_number_encrypted,
      sort_code_encrypted, recipient_type, bank_country, updated_at
    from coach_bank_details
    join (
      select payrun_id, coach_id, sum(cents) as cents
      from unnest(${items.map(({ payrunId }) => payrunId)}::uuid[], ${items.map(({ coachId }) => coachId)}::uuid[],
        ${items.map(({ amountCents }) => amountCents)}::integer[]) item (payrun_id, coach_id, cents)
      group by payrun_id, coach_id
    ) total using (coach_id)`.execute(tx);
  await tx
    .insertInto('payrunItems')
    .values(items.map((item) => ({ ...item, kind: 'lesson' as const })))
    .execute();
  const paid = payruns.filter(({ paidMs }) => paidMs !== null);
  await tx
    .insertInto('ledgerEntries')
    .values(
      paid.flatMap(({ payrunId, paidMs, items }) =>
        items.map(({ bookingId, amountCents }) => ({
          bookingId,
          sourceId: payrunId,
          kind: 'paid_out' as const,
          amountCents: -amountCents,
          createdAt: at(paidMs!),
        })),
      ),
    )
    .execute();
  await addAuditLines(tx, payruns, adminId);
}

async function addAuditLines(tx: Tx, payruns: DemoPayrun[], adminId: string): Promise<void> {
  const lines = payruns.flatMap(({ payrunId, createdMs, paidMs, items }) => {
    const totalAmountCents = items.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const coaches = new Set(items.map(({ coachId }) => coachId)).size;
    const about = { actorUserId: adminId, subjectType: 'payrun', subjectId: payrunId };
    const created = {
      ...about,
      at: at(createdMs),
      action: 'payrun.created',
      before: null,
      after: JSON.stringify({ totalAmountCents, bookings: items.length, coaches }),
    };
    if (paidMs === null) return [created];
    return [
      created,
      {
        ...about,
        at: at(paidMs),
        action: 'payrun.paid',
        before: JSON.stringify({ status: 'pending' }),
        after: JSON.stringify({ status: 'paid', totalAmountCents }),
      },
    ];
  });
  await tx
    .insertInto('auditLog')
    .values(lines.sort((a, b) => a.at.localeCompare(b.at)))
    .execute();
}
