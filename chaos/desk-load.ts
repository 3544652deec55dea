import { deskApi } from '#domain/desk/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { ask, type LoadClient } from './client.ts';
import type { DeskRefund } from './history.ts';
import type { Target } from './stage.ts';

/** Has two admins refund the same part of a booking simultaneously, each on a different process. */
export async function refundAtDesk(client: LoadClient): Promise<void> {
  const { chance, club, history, stage } = client;
  if (history.booked.length === 0) return;
  const { bookingId } = chance.pick(history.booked);
  const { body } = await ask(client, club.admins[0]!, deskApi.get, { bookingId });
  const expectedLeftCents = body?.booking.leftCents ?? 0;
  if (expectedLeftCents === 0) return;
  const part = {
    ...{ bookingId, expectedLeftCents, amountCents: chance.between(1, expectedLeftCents) },
    borneBy: chance.pick(['coach', 'platform'] as const),
  };
  await Promise.all(club.admins.map((admin, index) => refundPart(client, part, admin, stage.sides[index]!)));
}

type Part = Pick<DeskRefund, 'bookingId' | 'amountCents' | 'expectedLeftCents'> & {
  borneBy: 'coach' | 'platform';
};

/** Refunds part of a booking as an admin. */
export async function refundPart(
  client: LoadClient,
  part: Part,
  admin: Someone,
  side: Target,
): Promise<void> {
  const { deskRefunds } = client.history;
  const reason = `Refund ${deskRefunds.length + 1}`;
  const refund: DeskRefund = { ...part, reason, isMade: false };
  deskRefunds.push(refund);
  const { status } = await ask(client, admin, deskApi.refund, { ...part, reason }, side);
  refund.isMade = status === 200;
}

/** Has two admins simultaneously enter that the bank returned the same payment of a paid payrun. */
export async function returnSomePayment(client: LoadClient): Promise<void> {
  const { chance, club, history, stage } = client;
  if (history.paid.length === 0) return;
  const payrunId = chance.pick(history.paid);
  const { body } = await ask(client, club.admins[0]!, payrunApi.getPayrun, { payrunId });
  if (!body || body.payments.length === 0) return;
  const { coachId } = chance.pick(body.payments);
  await Promise.all(
    club.admins.map((admin, index) =>
      returnPayment(client, { payrunId, coachId }, admin, stage.sides[index]!),
    ),
  );
}

/** Enters as an admin that the bank returned a payment. */
export async function returnPayment(
  client: LoadClient,
  payment: { payrunId: string; coachId: string },
  admin: Someone,
  side: Target,
): Promise<void> {
  const { returns, broken } = client.history;
  const key = `${payment.payrunId} ${payment.coachId}`;
  returns.requested.add(key);
  const input = { ...payment, reason: 'Account closed' };
  const { status } = await ask(client, admin, payrunApi.enterReturn, input, side);
  if (status !== 200) return;
  if (returns.made.has(key)) broken.push(`Payment ${key} was entered as returned twice`);
  returns.made.add(key);
}
