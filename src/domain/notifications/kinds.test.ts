import { expect, test } from 'vitest';
import { type ChannelRule, canChange, isChannelOn, kindNames, kindOf } from './kinds.ts';

test('always emails about security, receipts, changes and refunds, and says why [NOTE-6a]', () => {
  const always = kindNames.filter((kind) => kindOf(kind).rules.email === 'always');
  expect(always).toEqual(
    expect.arrayContaining([
      ...['booked', 'lesson_cancelled', 'lesson_moved', 'lesson_relocated', 'refund', 'paid_out'],
      ...['bank_details_changed', 'role_changed', 'control_changed', 'care_opened'],
    ]),
  );
  for (const kind of always) {
    expect(isChannelOn(kindOf(kind).rules.email, false), kind).toBe(true);
    expect(kindOf(kind).lockedBecause, kind).toMatch(/^We always email .*\.$/);
  }
  for (const kind of kindNames) {
    const { rules, lockedBecause } = kindOf(kind);
    expect(Boolean(lockedBecause), kind).toBe(Object.values<ChannelRule>(rules).includes('always'));
  }
});

test('lets people switch push on or off for every kind [NOTE-6e]', () => {
  for (const kind of kindNames) expect(canChange(kindOf(kind).rules.push), kind).toBe(true);
});

test('applies a choice only to a channel that can be changed', () => {
  expect([isChannelOn('on', null), isChannelOn('off', null)]).toEqual([true, false]);
  expect([isChannelOn('on', false), isChannelOn('off', true)]).toEqual([false, true]);
  expect([isChannelOn('always', false), isChannelOn('never', true)]).toEqual([true, false]);
  expect((['on', 'off', 'always', 'never'] as const).map(canChange)).toEqual([true, true, false, false]);
});

test('gives the kinds of one audience different labels', () => {
  const labels = kindNames.map((kind) => `${kindOf(kind).audience}: ${kindOf(kind).label}`);
  expect(new Set(labels).size).toBe(labels.length);
});
