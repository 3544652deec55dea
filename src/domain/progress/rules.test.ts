import { expect, test } from 'vitest';
import { refuseAnswer, refuseAssessment, refuseNote } from './rules.ts';

const now = Date.parse('2027-03-28T12:00:00Z');
const lesson = { startTime: '2027-03-28T10:00:00Z', endTime: '2027-03-28T11:00:00Z' };

test('lets a coach write notes from the start of a lesson, except about absent people', () => {
  expect(refuseNote({ status: 'booked', attended: null, ...lesson }, now)).toBeNull();
  expect(refuseNote({ status: 'attended', attended: true, ...lesson }, now)).toBeNull();
  expect(refuseNote({ status: 'booked', attended: false, ...lesson }, now)?.message).toContain('absent');
  expect(refuseNote({ status: 'cancelled', attended: null, ...lesson }, now)?.message).toContain('cancelled');
  const early = Date.parse(lesson.startTime) - 1;
  const booked = { status: 'booked', attended: null, ...lesson } as const;
  expect(refuseNote(booked, early)?.message).toBe('You can write a note once the lesson has started.');
  expect(refuseAssessment(booked, early)?.message).toBe('You can assess skills once the lesson has started.');
  expect(
    refuseNote({ status: 'booked', attended: null, ...lesson }, Date.parse(lesson.startTime)),
  ).toBeNull();
});

test('lets a family answer after the lesson, unless the participant was absent', () => {
  const booked = { status: 'booked', attended: null, ...lesson } as const;
  expect(refuseAnswer(booked, now)).toBeNull();
  expect(refuseAnswer(booked, Date.parse(lesson.endTime) - 1)?.message).toContain('once the lesson is over');
  expect(refuseAnswer({ ...booked, attended: false }, now)?.message).toContain('missed');
  expect(refuseAnswer({ ...booked, status: 'refunded' }, now)?.message).toContain('cancelled');
});
