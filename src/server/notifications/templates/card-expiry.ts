import { describeCard } from '#domain/card-labels.ts';
import type { Email } from '#server/notifications/email-channel.ts';

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

Your saved card, ${describeCard(card)}, expires on ${lastDay}.

Your booked lessons stay booked. To book more after that date, save another card here:

${cardUrl}

${brand}
`,
  };
}
