import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, formatTime, mondayOf, wallTimeOf, weekdayOf } from '../time.ts';
import { planDates, planInput, planSlots, refuseCreateSlots, refusePlan } from './slot-plan.ts';

const templateId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const dates = fc
  .integer({ min: Date.parse('2026-01-01'), max: Date.parse('2029-12-31') })
  .map((ms) => new Date(ms).toISOString().slice(0, 10));
const weekly = fc.record({
  templateId: fc.constant(templateId),
  mode: fc.constant('weekly' as const),
  startDate: dates,
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
  weeks: fc.option(fc.integer({ min: 1, max: 12 })),
});

describe('Slot planning', () => {
  it('lists each chosen weekday once a week, and no date before the start date', () => {
    fc.assert(
      fc.property(weekly, (input) => {
        const plan = planInput.parse(input);
        const weeks = plan.weeks ?? 1;
        const planned = planDates(plan);
        const expected = Array.from({ length: weeks * 7 }, (_, day) => addDays(mondayOf(plan.startDate), day))
          .filter((date) => plan.weekdays.includes(weekdayOf(date)))
          .filter((date) => date >= plan.startDate);
        expect(planned).toEqual(expected);
      }),
    );
  });

  it('keeps the local time across both clock changes', () => {
    const spring = planInput.parse({
      templateId,
      mode: 'weekly',
      startDate: '2027-03-21',
      weekdays: [7],
      weeks: 3,
    });
    expect(planSlots(spring, 60).map((slot) => slot.startTime)).toEqual([
      '2027-03-21T09:00:00Z',
      '2027-03-28T08:00:00Z',
      '2027-04-04T08:00:00Z',
    ]);
    const autumn = { ...spring, startDate: '2027-10-24' };
    expect(planSlots(autumn, 60).map((slot) => slot.startTime)).toEqual([
      '2027-10-24T08:00:00Z',
      '2027-10-31T09:00:00Z',
      '2027-11-07T09:00:00Z',
    ]);
  });

  it('reports the dates on which the local time is skipped or repeated', () => {
    const night = planInput.parse({
      templateId,
      mode: 'dates',
      startDate: '2027-03-28',
      additionalDates: ['2027-10-31', '2027-11-01'],
      hour: 1,
      minute: 15,
    });
    expect(planSlots(night, 60).map((slot) => slot.occurrence)).toEqual(['skipped', 'repeated', 'exact']);
  });
});

describe('A plan', () => {
  const plans = fc.oneof(
    weekly,
    fc.record({
      templateId: fc.constant(templateId),
      mode: fc.constant('dates' as const),
      startDate: dates,
      additionalDates: fc.array(dates, { maxLength: 20 }),
      excludedDates: fc.array(dates, { maxLength: 5 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    }),
  );

  it("never overlaps itself and keeps its template's length and the chosen time", () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 15, max: 300 }), (input, minutes) => {
        const plan = planInput.parse(input);
        let previousEnd = 0;
        for (const { startTime, endTime, occurrence } of planSlots(plan, minutes)) {
          expect(Date.parse(endTime) - Date.parse(startTime)).toBe(minutes * 60_000);
          expect(Date.parse(startTime)).toBeGreaterThanOrEqual(previousEnd);
          previousEnd = Date.parse(endTime);
          if (occurrence !== 'skipped') {
            const { hour, minute } = wallTimeOf(startTime);
            expect([hour, minute]).toEqual([plan.hour, plan.minute]);
          }
        }
      }),
    );
  });

  it('lists a repeated date once and leaves out excluded dates', () => {
    const plan = planInput.parse({
      templateId,
      mode: 'dates',
      startDate: '2027-05-02',
      additionalDates: ['2027-05-01', '2027-05-02', '2027-05-03', '2027-05-03'],
      excludedDates: ['2027-05-01'],
    });
    expect(planDates(plan)).toEqual(['2027-05-02', '2027-05-03']);
    expect(formatTime(planSlots(plan, 60)[0]!.startTime)).toBe('09:00');
  });
});

describe('Refusals', () => {
  const now = Date.parse('2027-03-01T12:00:00Z');
  const slot = { startTime: '2027-03-02T09:00:00Z', endTime: '2027-03-02T10:00:00Z' };
  const clash = { title: 'Junior tennis', startTime: slot.startTime, endTime: slot.endTime };

  it('name the overlapping lessons with day and time', () => {
    const refusal = refuseCreateSlots([{ ...slot, obstacle: 'overlap', clash }], now);
    expect(refusal?.code).toBe('overlap');
    expect(refusal?.message).toContain('“Junior tennis” (Tue 2 Mar, 09:00–10:00)');
  });

  it('ignore existing lessons if at least one lesson is new', () => {
    const existing = { ...slot, obstacle: 'duplicate' as const, clash: null };
    expect(refuseCreateSlots([existing, { ...slot, obstacle: null, clash: null }], now)).toBeNull();
    expect(refuseCreateSlots([existing], now)?.code).toBe('conflict');
  });

  it('apply to an empty plan and to a time in the past', () => {
    expect(refuseCreateSlots([], now)?.message).toBe(
      'No slots to create. Please select dates or repeat days.',
    );
    expect(refuseCreateSlots([{ ...slot, obstacle: 'past', clash: null }], now)?.fields?.startDate).toContain(
      'Tue 2 Mar, 09:00–10:00',
    );
  });

  it('limit a plan to dates at most two years ahead', () => {
    const plan = { startDate: '2027-03-02', additionalDates: ['9999-12-31'] };
    expect(refusePlan(plan, now)?.fields).toHaveProperty('additionalDates');
    expect(refusePlan({ ...plan, additionalDates: [] }, now)).toBeNull();
  });
});
