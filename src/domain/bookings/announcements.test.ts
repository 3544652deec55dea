import { describe, expect, test } from 'vitest';
import {
  announcementText,
  nextAnnouncementAt,
  refuseAnnouncement,
  refuseRecipients,
  refuseRepeated,
} from './announcements.ts';

const now = Date.parse('2027-03-27T12:00:00Z');
const sentAt = (hoursAgo: number) => ({ sentAt: new Date(now - hoursAgo * 3_600_000).toISOString() });

test('accepts 1 to 400 characters after trimming [MSG-1a]', () => {
  expect(announcementText.parse(`  ${'x'.repeat(400)}\n `)).toHaveLength(400);
  for (const text of [' \n\t', 'x'.repeat(401)]) expect(announcementText.safeParse(text).success).toBe(false);
});

test('allows the next announcement 24 hours after the third most recent one [MSG-1a]', () => {
  expect(nextAnnouncementAt([], now)).toBeNull();
  expect(nextAnnouncementAt([sentAt(1), sentAt(2)], now)).toBeNull();
  // 24 hours of elapsed time: the clocks go forward overnight, so the local time is an hour later.
  expect(nextAnnouncementAt([sentAt(1), sentAt(2), sentAt(3), sentAt(30)], now)).toBe('2027-03-28T09:00:00Z');
  expect(nextAnnouncementAt([sentAt(1), sentAt(2), sentAt(24)], now)).toBeNull();
});

describe('an announcement', () => {
  const slot = { status: 'scheduled', endTime: '2027-03-20T12:00:01Z' } as const;

  test('can be sent until a week after a lesson, but not about a cancelled one', () => {
    expect(refuseAnnouncement(slot, now)).toBeNull();
    expect(refuseAnnouncement({ ...slot, status: 'completed' }, now)).toBeNull();
    expect(refuseAnnouncement({ ...slot, endTime: '2027-03-20T12:00:00Z' }, now)?.code).toBe('conflict');
    expect(refuseAnnouncement({ ...slot, status: 'cancelled' }, now)?.code).toBe('conflict');
  });

  test('is sent only if its coach was shown the current number of recipients', () => {
    expect(refuseRecipients(2, 2)).toBeNull();
    expect(refuseRecipients(0, 0)?.message).toMatch(/^Nobody /);
    expect(refuseRecipients(1, 2)?.message).toMatch(/^1 person would /);
    expect(refuseRecipients(3, 2)?.message).toMatch(/^3 people would /);
  });

  test('is not sent twice in a row within a day', () => {
    const latest = { text: 'Bring water', ...sentAt(2) };
    expect(refuseRepeated('Bring water', latest, now)?.message).toBe(
      'You already sent this announcement at 10:00.',
    );
    expect(refuseRepeated('Bring more water', latest, now)).toBeNull();
    expect(refuseRepeated('Bring water', { ...latest, ...sentAt(24) }, now)).toBeNull();
    expect(refuseRepeated('Bring water', undefined, now)).toBeNull();
  });
});
