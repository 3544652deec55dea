import { expect, test } from 'vitest';
import { describeDuration } from './lesson-labels.ts';

test('formats durations in hours and minutes, each in the singular or the plural', () => {
  expect([45, 60, 61, 90, 121, 300].map(describeDuration)).toEqual([
    '45 minutes',
    '1 hour',
    '1 hour 1 minute',
    '1 hour 30 minutes',
    '2 hours 1 minute',
    '5 hours',
  ]);
});
