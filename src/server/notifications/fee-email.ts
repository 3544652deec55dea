import { formatPounds, percentageOf } from '#domain/money.ts';
import type { Email } from '#server/platform/email.ts';

/** Notifies a coach of the platform's share of new bookings; percentages, 0 for none. */
export function composeFeeEmail({
  beforePercent,
  percent,
  brand,
  earningsUrl,
}: {
  beforePercent: number;
  percent: number;
  brand: string;
  earningsUrl: string;
}): Omit<Email, 'to'> {
  const name = (value: number) => (value === 0 ? 'no fee' : `${value}%`);
  return {
    subject: `The platform fee at ${brand} has changed`,
    text: `The platform fee at ${brand} has changed from ${name(beforePercent)} to ${name(percent)}.

It applies to bookings made from now on. Bookings that were made before keep the fee they were made with, and
the prices your customers see stay the same. For a £50.00 lesson you now get ${formatPounds(5000 - percentageOf(5000, percent))}.

Your earnings show the fee of each booking:

${earningsUrl}
`,
  };
}
