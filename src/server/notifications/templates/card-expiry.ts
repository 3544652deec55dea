import { describeCard } from '#domain/card-labels.ts';
import type { NotificationMessage } from '#domain/message.ts';

/** Warns a customer that the saved card expires; `lastDay` reads "Tue 30 Nov". */
export function composeCardExpiryMessage({
  fullName,
  brand,
  card,
  lastDay,
  cardUrl,
}: {
  fullName: string;
  brand: string;
  card: { brand: string; lastFour: string };
  lastDay: string;
  cardUrl: string;
}): NotificationMessage {
  return {
    subject: `Your ${describeCard(card)} expires on ${lastDay}`,
    summary: 'Your booked lessons stay booked. To book more after that date, save another card.',
    path: '/customer/payment-methods',
    text: `Hello ${fullName},

Your saved card, ${describeCard(card)}, expires on ${lastDay}.

Your booked lessons stay booked. To book more after that date, save another card here:

${cardUrl}

${brand}
`,
  };
}
