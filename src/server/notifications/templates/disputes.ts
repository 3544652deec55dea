import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { greet } from './greet.ts';

const outcomes: Record<string, string> = {
  won: 'The bank has decided in your favour, so the money is yours again.',
  lost: "The bank has decided in the customer's favour, so the money is lost.",
  warning_closed: 'The bank has closed its inquiry. No money was taken.',
};

/** Notifies an admin that a payment is disputed, or how the bank decided. `status` and `reason` are Stripe's. */
export function composeDisputeMessage({
  fullName,
  status,
  reason,
  amountCents,
  reference,
}: Record<'fullName' | 'status' | 'reason' | 'reference', string> & {
  amountCents: number;
}): NotificationMessage {
  const outcome = outcomes[status];
  const what = outcome
    ? `The dispute about a payment of ${formatPounds(amountCents)} was decided`
    : `A payment of ${formatPounds(amountCents)} is disputed`;
  const next =
    outcome ??
    "Answer the dispute in Stripe's dashboard before the date shown there. The payment isn't paid out until the dispute is decided.";
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
    action: { label: 'Open the payouts', path: '/admin/panel?tab=payouts' },
  };
}
