import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogueApi, type Location } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { addDays, formatDay, mondayOf, wallTimeOf, weekdayOf } from '#domain/time.ts';
import { nextDays } from '#server/test-support/catalogue.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';

type Plan = Omit<InputOf<typeof slotsApi.createSlots>, 'templateId'> & { templateId?: string };

let coach: Someone;
let template: LessonTemplate;
let court: Location;
const [tomorrow, dayAfter, thirdDay] = nextDays(3) as [string, string, string];

const lesson = {
  title: 'Junior tennis',
  description: 'For children from 8.',
  sport: 'tennis' as const,
  durationMinutes: 90,
  basePriceCents: 1250,
  lessonType: 'group' as const,
  minCapacity: 2,
  maxCapacity: 6,
};

const app = setUpTestApp();

// Each test has a coach with an empty calendar.
beforeEach(async () => {
  coach = await app.signIn('customer', 'coach');
  template = (await app.call(coach, catalogueApi.createTemplate, lesson)).body.template;
  const input = { name: 'Court 2', address: '9 Mill Lane', city: 'York', postcode: 'YO1 7HH' };
  court = (await app.call(coach, catalogueApi.createLocation, input)).body.location;
});

const publish = (plan: Plan, who = coach) =>
  app.call(who, slotsApi.createSlots, { templateId: template.templateId, ...plan });
const preview = (plan: Plan) =>
  app.call(coach, slotsApi.previewSlots, { templateId: template.templateId, ...plan });
const calendar = async (from: string, to: string, who = coach) =>
  (await app.call(who, slotsApi.listCoachSlots, { from, to })).body.slots;

it("creates empty, scheduled slots with the template's type, capacity and price [SLOT-6, SLOT-8c]", async () => {
  const { status, body } = await publish({
    mode: 'dates',
    startDate: tomorrow,
    locationId: court.locationId,
    hour: 18,
    minute: 45,
  });
  expect(status).toBe(200);
  expect(body.slots).toHaveLength(1);
  const slot = body.slots[0]!;
  expect(slot).toMatchObject({
    templateId: template.templateId,
    title: 'Junior tennis',
    sport: 'tennis',
    lessonType: 'group',
    minCapacity: 2,
    maxCapacity: 6,
    priceCents: 1250,
    status: 'scheduled',
    bookedCount: 0,
    location: court,
  });
  expect(wallTimeOf(slot.startTime)).toEqual({ date: tomorrow, hour: 18, minute: 45 });
  expect(Date.parse(slot.endTime) - Date.parse(slot.startTime)).toBe(90 * 60_000);
  await app.call(coach, catalogueApi.updateTemplate, {
    ...lesson,
    templateId: template.templateId,
    basePriceCents: 9900,
    maxCapacity: 12,
  });
  const [kept] = await calendar(tomorrow, tomorrow);
  expect(kept).toMatchObject({ priceCents: 1250, maxCapacity: 6 });

  const single = { ...lesson, title: 'One to one', basePriceCents: 4300, lessonType: 'individual' as const };
  const input = { ...single, minCapacity: 1, maxCapacity: 1 };
  const { templateId } = (await app.call(coach, catalogueApi.createTemplate, input)).body.template;
  const alone = await publish({ mode: 'dates', startDate: dayAfter, templateId });
  expect(alone.body.slots).toMatchObject([
    {
      ...{ templateId, lessonType: 'individual', minCapacity: 1, maxCapacity: 1, priceCents: 4300 },
      ...{ status: 'scheduled', bookedCount: 0, location: null },
    },
  ]);
});

it('counts a repeated date once; repeats weekly on each chosen weekday [SLOT-2a, SLOT-2b]', async () => {
  const dates = await publish({
    mode: 'dates',
    startDate: dayAfter,
    additionalDates: [tomorrow, dayAfter, tomorrow],
  });
  expect(dates.body.slots.map((slot) => wallTimeOf(slot.startTime).date)).toEqual([tomorrow, dayAfter]);
  const start = addDays(mondayOf(tomorrow), 30);
  const weekly = await publish({
    mode: 'weekly',
    startDate: start,
    weekdays: [1, weekdayOf(start)],
    weeks: 3,
  });
  const planned = weekly.body.slots.map((slot) => wallTimeOf(slot.startTime));
  expect(planned.map((wall) => wall.date)).toEqual([
    start,
    ...[7, 14].flatMap((days) => [addDays(mondayOf(start), days), addDays(start, days)]),
  ]);
  expect(planned.every((wall) => wall.hour === 9 && wall.minute === 0)).toBe(true);
  const blank = await publish({
    mode: 'weekly',
    startDate: addDays(start, 70),
    weekdays: [1, 2, 3, 4, 5, 6, 7],
  });
  expect(blank.body.slots.length).toBe(8 - weekdayOf(addDays(start, 70)));
});

it('refuses a plan without dates [SLOT-4]', async () => {
  const { status, error } = await publish({ mode: 'weekly', startDate: tomorrow, weekdays: [], weeks: 4 });
  expect([status, error?.message]).toEqual([422, 'No slots to create. Please select dates or repeat days.']);
  const excluded = await publish({ mode: 'dates', startDate: tomorrow, excludedDates: [tomorrow] });
  expect([excluded.status, excluded.error?.message]).toEqual([
    422,
    'No slots to create. Please select dates or repeat days.',
  ]);
});

it('skips existing slots, and refuses a plan with no new slots [SLOT-5]', async () => {
  await publish({ mode: 'dates', startDate: tomorrow });
  const more = await publish({ mode: 'dates', startDate: tomorrow, additionalDates: [dayAfter] });
  expect(more.body.slots.map((slot) => wallTimeOf(slot.startTime).date)).toEqual([dayAfter]);
  const again = await publish({ mode: 'dates', startDate: tomorrow, additionalDates: [dayAfter] });
  expect([again.status, again.error?.code]).toEqual([409, 'conflict']);
  expect(await calendar(tomorrow, dayAfter)).toHaveLength(2);
});

describe('Clock changes', () => {
  /**
   * The last Sunday of this month in the first year, from 2027 to 2034, in which it is more than a week after tomorrow.
   */
  const nextLastSunday = (month: '03' | '10') => {
    const ahead = [2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034].map((year) => {
      const last = `${year}-${month}-31`;
      return addDays(last, -(weekdayOf(last) % 7));
    });
    return ahead.find((date) => addDays(date, -7) > tomorrow)!;
  };
  const spring = nextLastSunday('03');
  const autumn = nextLastSunday('10');

  it('leave a weekly lesson at 09:00 in London in spring and autumn [SLOT-7]', async () => {
    for (const [sunday, hours] of [
      [spring, ['09', '08', '08']],
      [autumn, ['08', '09', '09']],
    ] as const) {
      const { body } = await publish({
        mode: 'weekly',
        startDate: addDays(sunday, -7),
        weekdays: [7],
        weeks: 3,
      });
      expect(body.slots.map((slot) => slot.startTime)).toEqual(
        [-7, 0, 7].map((days, index) => `${addDays(sunday, days)}T${hours[index]}:00:00Z`),
      );
    }
  });

  it('are reported in the preview [SLOT-7]', async () => {
    const plan: Plan = {
      mode: 'dates',
      startDate: spring,
      additionalDates: [autumn, addDays(autumn, -1)],
      hour: 1,
      minute: 30,
    };
    const { body } = await preview(plan);
    const found = body.planned.map(({ startTime, occurrence }) => [startTime, occurrence]);
    expect(found.sort()).toEqual(
      [
        [`${spring}T01:30:00Z`, 'skipped'],
        [`${addDays(autumn, -1)}T00:30:00Z`, 'exact'],
        [`${autumn}T00:30:00Z`, 'repeated'],
      ].sort(),
    );
    const created = (await publish(plan)).body.slots;
    expect(created.map(({ startTime }) => startTime).sort()).toEqual(
      body.planned.map(({ startTime }) => startTime).sort(),
    );
  });
});

describe('The overlap check', () => {
  it("shows overlaps in the preview and refuses to publish them, with the lesson's title [SLOT-8b]", async () => {
    await publish({ mode: 'dates', startDate: dayAfter, hour: 10 });
    const other = await app.call(coach, catalogueApi.createTemplate, { ...lesson, title: 'Adult tennis' });
    const plan: Plan = {
      templateId: other.body.template.templateId,
      mode: 'dates',
      startDate: tomorrow,
      additionalDates: [dayAfter, thirdDay],
      hour: 9,
    };
    const { body } = await preview(plan);
    expect(body.planned.map(({ obstacle, clashesWith }) => [obstacle, clashesWith])).toEqual([
      [null, null],
      ['overlap', 'Junior tennis'],
      [null, null],
    ]);
    const { status, error } = await publish(plan);
    const [standing] = await calendar(dayAfter, dayAfter);
    expect([status, error?.code]).toEqual([409, 'overlap']);
    expect(error?.message).toContain(
      `“Junior tennis” (${formatDay(standing!.startTime, Date.now())}, 10:00–11:30)`,
    );
    expect(await calendar(tomorrow, thirdDay)).toHaveLength(1);
    const without = await publish({ ...plan, excludedDates: [dayAfter] });
    expect(without.body.slots).toHaveLength(2);
  });

  it("ignores adjacent lessons, cancelled lessons and other coaches' lessons [SLOT-5, SLOT-8a]", async () => {
    const first = await publish({ mode: 'dates', startDate: tomorrow, hour: 10 });
    expect((await publish({ mode: 'dates', startDate: tomorrow, hour: 11, minute: 30 })).status).toBe(200);
    const rival = await app.signIn('coach');
    const theirs = await app.call(rival, catalogueApi.createTemplate, lesson);
    const beside = await publish(
      { templateId: theirs.body.template.templateId, mode: 'dates', startDate: tomorrow, hour: 10 },
      rival,
    );
    expect(beside.status).toBe(200);
    const set = (status: 'cancelled' | 'scheduled') =>
      app.db
        .updateTable('lessonSlots')
        .set({ status })
        .where('slotId', '=', first.body.slots[0]!.slotId)
        .execute();
    await set('cancelled');
    expect((await publish({ mode: 'dates', startDate: tomorrow, hour: 10 })).status).toBe(200);
    // The cancelled lesson cannot be scheduled again at the same time as the new lesson.
    await expect(set('scheduled')).rejects.toThrow('lesson_slots_never_overlap');
  });

  it('are prevented when four plans are published simultaneously: only one succeeds', async () => {
    const others = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) => app.call(coach, catalogueApi.createTemplate, { ...lesson, title })),
    );
    const answers = await Promise.all(
      others.map(({ body }, index) =>
        publish({
          templateId: body.template.templateId,
          mode: 'dates',
          startDate: tomorrow,
          additionalDates: [dayAfter],
          minute: index * 15,
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    for (const { error } of answers) if (error) expect(error.code).toBe('overlap');
    expect(await calendar(tomorrow, dayAfter)).toHaveLength(2);
  });

  it('are prevented when a plan is submitted six times: only one submission succeeds [SLOT-5]', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        publish({ mode: 'weekly', startDate: tomorrow, weekdays: [1, 3], weeks: 4 }),
      ),
    );
    const [only, ...others] = answers.filter((answer) => answer.status === 200);
    expect(others).toEqual([]);
    expect(answers.filter((answer) => answer.error?.code === 'conflict')).toHaveLength(5);
    expect(await calendar(tomorrow, addDays(tomorrow, 30))).toEqual(only!.body.slots);
    expect(only!.body.slots.length).toBeGreaterThan(5);
  });

  it('are refused by the database if a lesson is moved during publishing [SLOT-8a]', async () => {
    const [startDate] = [tomorrow];
    const rows = await publish({ mode: 'dates', startDate: thirdDay, hour: 9 });
    const { slotId } = rows.body.slots[0]!;
    let answer: ReturnType<typeof publish> | undefined;
    // Moves a lesson so that it overlaps the requested time, and commits only when the publish call waits for a lock.
    await app.db.transaction().execute(async (tx) => {
      const earlier = (time: 'start_time' | 'end_time') =>
        sql`(${sql.ref(time)} at time zone 'Europe/London' - interval '2 days') at time zone 'Europe/London'`;
      await sql`update lesson_slots set start_time = ${earlier('start_time')}, end_time = ${earlier('end_time')}
        where slot_id = ${slotId}`.execute(tx);
      answer = publish({ mode: 'dates', startDate, hour: 9, minute: 30 });
      await untilLockIsAwaited(app.db);
    });
    const { status, error } = await answer!;
    expect([status, error?.code]).toEqual([409, 'overlap']);
    expect(error?.message).toContain('“Junior tennis”');
    expect(await calendar(tomorrow, thirdDay)).toHaveLength(1);
  });
});

it('refuses past times, impossible dates and invalid values, naming the field [SLOT-1]', async () => {
  const refused: [Partial<Plan>, string][] = [
    [{ startDate: addDays(tomorrow, -2) }, 'startDate'],
    [{ startDate: '2027-02-30' }, 'startDate'],
    [{ startDate: 'soon' }, 'startDate'],
    [{ startDate: '9999-12-31' }, 'startDate'],
    [{ additionalDates: ['2199-01-01'] }, 'additionalDates'],
    [{ hour: 24 }, 'hour'],
    [{ minute: 60 }, 'minute'],
    [{ weeks: 13 }, 'weeks'],
    [{ weeks: 0 }, 'weeks'],
    [{ mode: 'monthly' as 'weekly' }, 'mode'],
    [{ locationId: 'here' }, 'locationId'],
    [{ templateId: 'mine' }, 'templateId'],
  ];
  for (const [change, field] of refused) {
    const { status, error } = await publish({ mode: 'dates', startDate: tomorrow, ...change });
    expect([status, Object.keys(error?.fields ?? {})]).toEqual([422, [field]]);
  }
  const rival = await app.signIn('coach');
  const input = await app.call(rival, catalogueApi.createLocation, { name: 'Theirs', city: 'Hull' });
  const { locationId } = input.body.location;
  expect((await publish({ mode: 'dates', startDate: tomorrow, locationId })).status).toBe(404);
  expect(await calendar(addDays(tomorrow, -5), addDays(tomorrow, 40))).toEqual([]);
});

it("lists a coach's slots by London day, for at most 62 days [ROLE-2]", async () => {
  await publish({ mode: 'dates', startDate: tomorrow, additionalDates: [dayAfter, thirdDay], hour: 0 });
  const days = (await calendar(tomorrow, dayAfter)).map((slot) => wallTimeOf(slot.startTime).date);
  expect(days).toEqual([tomorrow, dayAfter]);
  expect(await calendar(tomorrow, thirdDay, await app.signIn('coach'))).toEqual([]);
  const tooLong = await app.call(coach, slotsApi.listCoachSlots, {
    from: tomorrow,
    to: addDays(tomorrow, 62),
  });
  expect(tooLong.error?.fields?.to).toContain('62 days');
  const backwards = await app.call(coach, slotsApi.listCoachSlots, { from: dayAfter, to: tomorrow });
  expect(backwards.status).toBe(422);
});

it("shows a lesson's time, seats, location, status, price, type and description [LES-1]", async () => {
  const { body } = await publish({ mode: 'dates', startDate: tomorrow, locationId: court.locationId });
  const { slotId } = body.slots[0]!;
  const detail = await app.call(coach, slotsApi.getCoachSlot, { slotId });
  expect(detail.body.slot).toEqual({
    ...body.slots[0],
    description: 'For children from 8.',
    cancellationReason: null,
  });
  expect(detail.body.slot.location).toEqual(court);
});

it("responds identically for another coach's lesson and a missing lesson [LES-3]", async () => {
  const { body } = await publish({ mode: 'dates', startDate: tomorrow });
  const rival = await app.signIn('coach');
  for (const slotId of [body.slots[0]!.slotId, '6f9619ff-8b86-4d01-b42d-00cf4fc964ff']) {
    const { status, error } = await app.call(rival, slotsApi.getCoachSlot, { slotId });
    expect([status, error?.message]).toEqual([404, 'Lesson not found.']);
  }
  expect((await app.call(rival, slotsApi.getCoachSlot, { slotId: 'nonsense' })).status).toBe(422);
});
