import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locationInput } from './location.ts';
import { templateDefaults } from './rules.ts';
import { templateInput } from './template.ts';

const lesson = { title: 'First serve', durationMinutes: 60, basePriceCents: 5000, lessonType: 'individual' };
const messagesOf = (input: unknown) => {
  const read = templateInput.safeParse(input);
  return Object.fromEntries((read.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
};

it('gives an individual lesson one seat and ignores the capacity sent', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 50 }), fc.integer({ min: -5, max: 50 }), (min, max) => {
      const read = templateInput.parse({ ...lesson, minCapacity: min, maxCapacity: max });
      expect([read.minCapacity, read.maxCapacity]).toEqual([1, 1]);
    }),
  );
});

it('allows groups of 2 to 20 whose minimum is at most the maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2, max: 30 }), fc.integer({ min: -2, max: 30 }), (min, max) => {
      const isRight = min >= 2 && max <= 20 && min <= max;
      const read = templateInput.safeParse({
        ...lesson,
        lessonType: 'group',
        minCapacity: min,
        maxCapacity: max,
      });
      expect(read.success).toBe(isRight);
    }),
  );
  expect(templateDefaults.group).toEqual({ minCapacity: 2, maxCapacity: 4 });
});

it('reports each mistake in a template at its field', () => {
  expect(messagesOf({ ...lesson, title: '  ' })).toEqual({ title: 'Enter a title.' });
  expect(messagesOf({ ...lesson, durationMinutes: 14 })).toEqual({
    durationMinutes: 'A lesson must last at least 15 minutes.',
  });
  expect(messagesOf({ ...lesson, durationMinutes: 301 }).durationMinutes).toContain('300 minutes');
  expect(messagesOf({ ...lesson, basePriceCents: -1 }).basePriceCents).toBe("The price can't be negative.");
  expect(messagesOf({ ...lesson, basePriceCents: 29 }).basePriceCents).toContain('£0.30');
  expect(messagesOf({ ...lesson, basePriceCents: 0 })).toEqual({});
});

it('normalises a full postcode and refuses a partial postcode', () => {
  const address = { name: 'Court 1', city: 'Leeds' };
  expect(locationInput.parse({ ...address, postcode: ' ls63aa ' }).postcode).toBe('LS6 3AA');
  expect(locationInput.parse(address).postcode).toBe('');
  expect(locationInput.safeParse({ ...address, postcode: 'LS6' }).error?.issues[0]?.message).toBe(
    'Enter the full postcode, like LS6 3AA.',
  );
});
