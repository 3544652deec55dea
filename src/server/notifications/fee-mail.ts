import type { Mail } from '#server/platform/mail.ts';

/** Notifies a coach of what the platform keeps of bookings made from now on; percentages, 0 where it keeps nothing. */
export function composeFeeMail({
  beforePercent,
  percent,
  brand,
  earningsUrl,
}: {
  beforePercent: number;
  percent: number;
  brand: string;
  earningsUrl: string;
}): Omit<Mail, 'to'> {
  const name = (value: number) => (value === 0 ? 'no fee' : `${value}%`);
  return {
    subject: `The platform fee at ${brand} has changed`,
    text: `The platform fee at ${brand} has changed from ${name(beforePercent)} to ${name(percent)}.

It applies to bookings made from now on. Bookings that were made before keep the fee they were made with, and
the prices your customers see stay the same. Of a lesson for £50.00 you now get £${(50 - percent / 2).toFixed(2)}.

Your earnings show the fee of each booking:

${earningsUrl}
`,
  };
}
