import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import type { PlatformFee } from '#domain/settings/contract.ts';
import { describeFee, feeOfPrice } from '#domain/settings/platform-fee.ts';

/** Notifies a coach of a change to the platform fee for new bookings. */
export function composeFeeMessage({
  before,
  fee,
  brand,
}: {
  before: PlatformFee;
  fee: PlatformFee;
  brand: string;
}): NotificationMessage {
  return {
    subject: `The platform fee at ${brand} has changed`,
    summary: `From ${describeFee(before)} to ${describeFee(fee)}, for bookings made from now on.`,
    body: [
      `The platform fee at ${brand} has changed from ${describeFee(before)} to ${describeFee(fee)}.`,
      `The new fee applies to bookings made from now on. Earlier bookings keep the fee that applied when they were made, and the prices your customers see stay the same. For a £50.00 lesson, you now get ${formatPounds(5000 - feeOfPrice(5000, fee))}.`,
      'Your earnings show the fee of each booking.',
    ],
    action: { label: 'See your earnings', path: '/coach/earnings' },
  };
}
