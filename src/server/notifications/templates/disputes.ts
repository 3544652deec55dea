import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay } from '#domain/time.ts';
import { greet } from './greet.ts';

const outcomes: Record<string, string> = {
  won: 'The bank has decided in your favour, so the money is yours again.',
  lost: "The bank has decided in the customer's favour, so the money is lost. Record whether the platform or the coach bears the loss.",
  warning_closed: 'The bank has closed its inquiry. No money was taken.',
};

/** Notifies an admin that a payment is disputed, or how the bank decided. `status` and `reason` are Stripe's. */
export function composeDisputeMessage({
  fullName,
  status,
  reason,
  amountCents,
  reference,
  disputeId,
  dueBy,
}: Record<'fullName' | 'status' | 'reason' | 'reference' | 'disputeId', string> & {
  amountCents: number;
  dueBy: string | null;
}): NotificationMessage {
  const outcome = outcomes[status];
  const what = outcome
    ? `The dispute about a payment of ${formatPounds(amountCents)} was decided`
    : `A payment of ${formatPounds(amountCents)} is disputed`;
  const next =
    outcome ??
    `Send the evidence ${dueBy ? `by ${formatDay(dueBy, Date.now())}` : 'soon'}. This payment's bookings can't be paid out to their coaches until the dispute is won or its loss is recorded.`;
  return {
    subject: what,
    summary: `Booking ${reference}. ${next}`,
    body: [
      greet(fullName),
      `${what}.`,
      {
        facts: [
          ["Stripe's reason", reason.replaceAll('_', ' ')],
          ['Booking reference', reference],
        ],
      },
      next,
    ],
    action: { label: 'Open the dispute', path: `/admin/disputes/${disputeId}` },
  };
}

/**
 * Notifies a coach that they bear the loss of a dispute. `lessons` are the lessons concerned, with their shares of the
 * disputed amount.
 */
export function composeDisputeLossMessage({
  fullName,
  amountCents,
  lessons,
}: {
  fullName: string;
  amountCents: number;
  lessons: [title: string, amount: string][];
}): NotificationMessage {
  return {
    subject: `A disputed payment was lost: ${formatPounds(amountCents)}`,
    summary: 'The bank gave the customer their money back. Your share of it is deducted from your earnings.',
    body: [
      greet(fullName),
      'A customer disputed a payment with their bank, and the bank gave them their money back. The payment was for:',
      { facts: lessons },
      'Your share of it, less the platform fee, is deducted from your earnings. If we have already paid it to you, it is deducted from a later payment.',
    ],
    action: { label: 'See your earnings', path: '/coach/earnings' },
  };
}
