import { describeCard } from '#domain/card-labels.ts';
import type { Email } from '#server/platform/email.ts';

/** Warns a customer that the saved card expires; `lastDay` reads "Tue 30 Nov". */
export function composeCardExpiryEmail({
  to,
  fullName,
  brand,
  card,
  lastDay,
  cardUrl,
}: {
  to: string;
  fullName: string;
  brand: string;
  card: { brand: string; lastFour: string };
  lastDay: string;
  cardUrl: string;
}): Email {
  return {
    to,
    subject: `Your ${describeCard(card)} expires on ${lastDay}`,
    text: `Hello ${fullName},

the card saved for your bookings, ${describeCard(card)}, expires on ${lastDay}.

Lessons you have booked stay booked. To book more after that day, save another card here:

${cardUrl}

${brand}
`,
  };
}
