import { describeCard } from '#domain/card-labels.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { greet } from './greet.ts';

/** Warns a customer that their saved card is about to expire; `lastDay` reads "Tue 30 Nov". */
export function composeCardExpiryMessage({
  fullName,
  card,
  lastDay,
}: {
  fullName: string;
  card: { brand: string; lastFour: string };
  lastDay: string;
}): NotificationMessage {
  const consequence = 'Your booked lessons stay booked. To book more after that date, save another card.';
  return {
    subject: `Your ${describeCard(card)} expires on ${lastDay}`,
    summary: consequence,
    body: [greet(fullName), `Your saved card, ${describeCard(card)}, expires on ${lastDay}.`, consequence],
    action: { label: 'Save another card', path: '/customer/payment-methods' },
  };
}
