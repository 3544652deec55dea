import { sql } from 'kysely';
import type { DeskRefund, History } from './history.ts';
import type { LoadStage } from './stage.ts';

/**
 * Checks that each refund reported to an admin was made once and as requested, and that no two refunds were made
 * against the same remainder. Also checks that a payment was entered as returned if the server confirmed that to an
 * admin, and only if an admin requested it.
 */
export async function checkDesk({ db }: LoadStage, history: History): Promise<string[]> {
  const { rows: refunds } = await sql<Made>`
    select booking_id, amount_cents, reason from refund_requests where status = 'made'`.execute(db());
  const { rows: returned } = await sql<{ key: string }>`
    select concat_ws(' ', payrun_id, coach_id) as key from payrun_returns`.execute(db());
  const keys = new Set(returned.map(({ key }) => key));
  const { requested, made } = history.returns;
  return [
    ...checkRefunds(history.deskRefunds, refunds),
    ...[...made]
      .filter((key) => !keys.has(key))
      .map((key) => `Reported as returned, but payment ${key} is not`),
    ...[...keys]
      .filter((key) => !requested.has(key))
      .map((key) => `Payment ${key} was entered as returned although nobody had requested it`),
  ];
}

type Made = Pick<DeskRefund, 'bookingId' | 'amountCents' | 'reason'>;

function checkRefunds(asked: DeskRefund[], made: Made[]): string[] {
  const broken: string[] = [];
  const seen = new Set<string>();
  for (const { bookingId, amountCents, reason } of made) {
    const refund = asked.find((one) => one.reason === reason);
    if (refund?.bookingId !== bookingId || refund.amountCents !== amountCents) {
      broken.push(
        `Booking ${bookingId} was refunded ${amountCents} (${reason}) although nobody had requested it`,
      );
      continue;
    }
    // Every refund reduces the remainder, so only one refund can be made with the same amount left.
    const remainder = `${bookingId} ${refund.expectedLeftCents}`;
    if (seen.has(remainder)) {
      broken.push(
        `Two refunds of booking ${bookingId} were made with ${refund.expectedLeftCents} cents left`,
      );
    }
    seen.add(remainder);
  }
  const reasons = made.map(({ reason }) => reason);
  for (const { bookingId, reason, isMade } of asked) {
    const times = reasons.filter((one) => one === reason).length;
    if (times > 1 || (isMade && times === 0)) {
      broken.push(
        `${reason} of booking ${bookingId} was ${isMade ? 'reported as made' : 'requested'} and made ${times} times`,
      );
    }
  }
  return broken;
}
