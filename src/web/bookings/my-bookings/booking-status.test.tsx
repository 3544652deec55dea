import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { BookingStatusLabel } from './booking-status.tsx';

test('labels and colours booked, completed, cancelled and refunded bookings [BOOK-1c, BOOK-1d]', () => {
  const shown: [BookingStatus, string, string][] = [
    ['booked', 'Booked', 'bg-primary'],
    ['attended', 'Completed', 'bg-success-mark'],
    ['cancelled', 'Cancelled', 'bg-input'],
    ['refunded', 'Refunded', 'bg-input'],
  ];
  for (const [status, word, dot] of shown) {
    const html = renderToStaticMarkup(<BookingStatusLabel status={status} />);
    expect(html.replace(/<[^>]+>/g, ''), status).toBe(word);
    expect(html.match(/\bbg-[\w-]+/g), status).toEqual([dot]);
  }
});
