import { addDays, formatDay, type PlainDate, wallTimeOf } from '../time.ts';

/** The last month in which a card is valid; null if it is not known. */
export type CardExpiry = { expMonth: number | null; expYear: number | null };

/** Warnings about a card begin this many days before its last valid day. */
export const expiryNoticeDays = 30;

/** The last day a card is valid; null if it is not known. */
export function lastDayOf({ expMonth, expYear }: CardExpiry): PlainDate | null {
  if (expMonth === null || expYear === null) return null;
  const [year, month] = expMonth === 12 ? [expYear + 1, 1] : [expYear, expMonth + 1];
  return addDays(`${year}-${String(month).padStart(2, '0')}-01`, -1);
}

/** The expiry months that end at most {@link expiryNoticeDays} days after a London date, earliest first. */
export function monthsExpiringSoon(today: PlainDate): { expMonth: number; expYear: number }[] {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  // In the last days of January, the notice covers the ends of two months, because February is short.
  return [month, month + 1, month + 2]
    .map((count) =>
      count > 12 ? { expMonth: count - 12, expYear: year + 1 } : { expMonth: count, expYear: year },
    )
    .filter((expiry) => lastDayOf(expiry)! <= addDays(today, expiryNoticeDays));
}

/** "08/28", as printed on the card; null if it is not known. */
export function formatExpiry({ expMonth, expYear }: CardExpiry): string | null {
  if (expMonth === null || expYear === null) return null;
  return `${String(expMonth).padStart(2, '0')}/${String(expYear % 100).padStart(2, '0')}`;
}

/** Warns that a card has expired or expires soon, and says what to do; null for other cards. `now` in milliseconds. */
export function describeExpiryWarning(card: CardExpiry, now: number): string | null {
  const lastDay = lastDayOf(card);
  const today = wallTimeOf(now).date;
  if (lastDay === null || lastDay > addDays(today, expiryNoticeDays)) return null;
  const day = formatDay(`${lastDay}T12:00:00Z`, now);
  return lastDay < today
    ? `This card expired on ${day}. Replace it to book lessons.`
    : `This card expires on ${day}. Replace it by then to keep booking.`;
}
