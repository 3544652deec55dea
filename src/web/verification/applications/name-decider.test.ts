import { expect, test } from 'vitest';
import { nameDecider } from './name-decider.ts';

test('says that the person withdrew an application which no admin decided', () => {
  expect(nameDecider({ status: 'withdrawn', decidedBy: null })).toBe('The person withdrew it');
  expect(nameDecider({ status: 'withdrawn', decidedBy: 'Ana Petrova' })).toBe('Ana Petrova');
  expect(nameDecider({ status: 'approved', decidedBy: null })).toBe('Nobody: coaches joined at once');
});
