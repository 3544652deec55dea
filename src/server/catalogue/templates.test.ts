import { beforeAll, expect, it } from 'vitest';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { nextDays } from '#server/test-support/catalogue.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

let coach: Someone;
let rival: Someone;
let customer: Someone;

const app = setUpTestApp();
beforeAll(async () => {
  [coach, rival, customer] = await Promise.all([
    app.signIn('customer', 'coach'),
    app.signIn('customer', 'coach'),
    app.signIn(),
  ]);
});

const lesson = {
  title: 'First serve',
  description: 'From the toss to the ace.',
  sport: 'tennis' as const,
  durationMinutes: 60,
  basePriceCents: 4550,
  lessonType: 'individual' as const,
};

it('creates, changes and lists templates, newest first [TPL-1]', async () => {
  const first = await app.call(coach, catalogueApi.createTemplate, lesson);
  expect(first.status).toBe(200);
  const second = await app.call(coach, catalogueApi.createTemplate, { ...lesson, title: 'Second serve' });
  const changed = await app.call(coach, catalogueApi.updateTemplate, {
    ...lesson,
    templateId: first.body.template.templateId,
    title: 'The very first serve',
    basePriceCents: 5000,
  });
  expect(changed.body.template).toMatchObject({ title: 'The very first serve', basePriceCents: 5000 });
  const { body } = await app.call(coach, catalogueApi.listTemplates, {});
  expect(body.templates.map((template) => template.title)).toEqual(['Second serve', 'The very first serve']);
  expect(body.templates[0]).toEqual(second.body.template);
});

it('requires a title, a duration of 15 to 300 minutes and a chargeable price [TPL-3]', async () => {
  const refused = [
    [{ title: '   ' }, 'title'],
    [{ durationMinutes: 14 }, 'durationMinutes'],
    [{ durationMinutes: 301 }, 'durationMinutes'],
    [{ durationMinutes: 60.5 }, 'durationMinutes'],
    [{ basePriceCents: -1 }, 'basePriceCents'],
    [{ basePriceCents: 1250.5 }, 'basePriceCents'],
    [{ basePriceCents: 1_000_001 }, 'basePriceCents'],
    [{ basePriceCents: 29 }, 'basePriceCents'],
    [{ sport: 'quidditch' }, 'sport'],
    [{ title: 42 }, 'title'],
    [{ title: 'x'.repeat(121) }, 'title'],
  ] as const;
  for (const [change, field] of refused) {
    const { status, error } = await app.call(coach, catalogueApi.createTemplate, {
      ...lesson,
      ...change,
    } as typeof lesson);
    expect([status, Object.keys(error?.fields ?? {})]).toEqual([422, [field]]);
  }
  for (const durationMinutes of [15, 300]) {
    const { body } = await app.call(rival, catalogueApi.createTemplate, { ...lesson, durationMinutes });
    expect(body.template.durationMinutes).toBe(durationMinutes);
  }
});

it('allows one seat in individual lessons and 2 to 20 seats in group lessons [TPL-4]', async () => {
  const create = (more: object) =>
    app.call(coach, catalogueApi.createTemplate, { ...lesson, ...more } as typeof lesson);
  const individual = await create({ minCapacity: 5, maxCapacity: 9 });
  expect(individual.body.template).toMatchObject({ minCapacity: 1, maxCapacity: 1 });
  const group = await create({ lessonType: 'group', minCapacity: 2, maxCapacity: 20 });
  expect(group.body.template).toMatchObject({ minCapacity: 2, maxCapacity: 20 });
  const exact = await create({ lessonType: 'group', minCapacity: 4, maxCapacity: 4 });
  expect(exact.body.template).toMatchObject({ minCapacity: 4, maxCapacity: 4 });
  for (const [minCapacity, maxCapacity, fields] of [
    [1, 4, { minCapacity: 'A group must have at least 2 places.' }],
    [2, 21, { maxCapacity: "A group can't have more than 20 places." }],
    [5, 4, { minCapacity: "The smallest group can't be larger than the largest." }],
  ] as const) {
    const size = { lessonType: 'group', minCapacity, maxCapacity } as const;
    const { templateId } = group.body.template;
    for (const refused of [
      await create(size),
      await app.call(coach, catalogueApi.updateTemplate, { ...lesson, ...size, templateId }),
    ]) {
      expect([refused.status, refused.error?.fields]).toEqual([422, fields]);
    }
  }
  const published = await app.call(coach, slotsApi.createSlots, {
    ...{ templateId: individual.body.template.templateId, mode: 'dates', startDate: nextDays(1)[0]! },
    hour: 18,
  });
  const { slotId, priceCents, ...slot } = published.body.slots[0]!;
  expect(slot).toMatchObject({ minCapacity: 1, maxCapacity: 1 });
  const larger = await app.call(coach, lessonsApi.editSlot, {
    ...{ slotId, locationId: null, priceCents, minCapacity: 1, maxCapacity: 2 },
  });
  expect([larger.status, larger.error?.fields]).toEqual([
    422,
    { maxCapacity: 'An individual lesson has one place.' },
  ]);
});

it('keeps the slots of a deleted template readable for the coach and customers [TPL-5a]', async () => {
  const { body } = await app.call(coach, catalogueApi.createTemplate, { ...lesson, title: 'Farewell serve' });
  const { templateId } = body.template;
  const [startDate] = nextDays(1);
  const created = await app.call(coach, slotsApi.createSlots, {
    templateId,
    mode: 'dates',
    startDate: startDate!,
  });
  const { slotId } = created.body.slots[0]!;
  expect((await app.call(coach, catalogueApi.deleteTemplate, { templateId })).status).toBe(200);
  const { body: listed } = await app.call(coach, catalogueApi.listTemplates, {});
  expect(listed.templates.map((template) => template.templateId)).not.toContain(templateId);
  const own = await app.call(coach, slotsApi.getCoachSlot, { slotId });
  expect(own.body.slot).toMatchObject({ title: 'Farewell serve', description: lesson.description });
  const offered = await app.call(null, discoverApi.discoverSlots, { search: 'farewell' });
  expect(offered.body.slots.map((slot) => slot.slotId)).toEqual([slotId]);
  const again = await app.call(coach, catalogueApi.deleteTemplate, { templateId });
  expect([again.status, again.error?.message]).toEqual([404, 'This lesson template no longer exists.']);
  const publish = await app.call(coach, slotsApi.createSlots, {
    templateId,
    mode: 'dates',
    startDate: startDate!,
  });
  expect(publish.status).toBe(404);
});

it("refuses changes to other coaches' templates and locations [ROLE-2]", async () => {
  const { body } = await app.call(coach, catalogueApi.createTemplate, lesson);
  const { templateId } = body.template;
  const court = await app.call(coach, catalogueApi.createLocation, { name: 'Court 1', city: 'Leeds' });
  const { locationId } = court.body.location;
  const attempts = [
    await app.call(rival, catalogueApi.updateTemplate, { ...lesson, templateId, title: 'Mine now' }),
    await app.call(rival, catalogueApi.deleteTemplate, { templateId }),
    await app.call(rival, catalogueApi.updateLocation, { locationId, name: 'Mine', city: 'York' }),
    await app.call(rival, catalogueApi.deleteLocation, { locationId }),
    await app.call(rival, slotsApi.createSlots, {
      templateId,
      mode: 'dates',
      startDate: nextDays(1)[0]!,
    }),
  ];
  expect(attempts.map((attempt) => attempt.status)).toEqual([404, 404, 404, 404, 404]);
  const asCustomer = await app.call(customer, catalogueApi.createTemplate, lesson);
  expect([asCustomer.status, asCustomer.error?.message]).toEqual([
    403,
    'You need coach permissions to access this area.',
  ]);
  expect((await app.call(null, catalogueApi.listTemplates, {})).status).toBe(401);
  const { body: mine } = await app.call(coach, catalogueApi.listTemplates, {});
  expect(mine.templates.find((template) => template.templateId === templateId)).toEqual(body.template);
  const { body: list } = await app.call(coach, catalogueApi.listLocations, {});
  expect(list.locations).toContainEqual(court.body.location);
});

it('normalises postcodes; shows the last details of a deleted location on lessons', async () => {
  const made = await app.call(coach, catalogueApi.createLocation, {
    name: ' North Park ',
    address: '1 Park Road',
    city: 'Leeds',
    postcode: 'ls63aa',
  });
  const { locationId } = made.body.location;
  expect(made.body.location).toMatchObject({ name: 'North Park', postcode: 'LS6 3AA' });
  const half = await app.call(coach, catalogueApi.createLocation, {
    name: 'X',
    city: 'Leeds',
    postcode: 'LS6',
  });
  expect(half.error?.fields).toEqual({ postcode: 'Enter the full postcode, like LS6 3AA.' });
  const { body } = await app.call(coach, catalogueApi.createTemplate, lesson);
  const slots = await app.call(coach, slotsApi.createSlots, {
    templateId: body.template.templateId,
    locationId,
    mode: 'dates',
    startDate: nextDays(30)[29]!,
  });
  await app.call(coach, catalogueApi.updateLocation, { locationId, name: 'South Park', city: 'Leeds' });
  await app.call(coach, catalogueApi.deleteLocation, { locationId });
  const { slotId } = slots.body.slots[0]!;
  const offered = await app.call(null, slotsApi.getOpenSlot, { slotId });
  expect(offered.body.slot.location).toMatchObject({ name: 'South Park', city: 'Leeds' });
  const { body: list } = await app.call(coach, catalogueApi.listLocations, {});
  expect(list.locations.map((location) => location.locationId)).not.toContain(locationId);
});

it('audits a changed template with the values before and after', async () => {
  const entries = await app.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('actorUserId', '=', coach.userId)
    .where('action', '=', 'template.changed')
    .execute();
  expect(entries[0]).toMatchObject({
    before: { basePriceCents: 4550 },
    after: { basePriceCents: 5000, changed: expect.arrayContaining(['title', 'basePriceCents']) },
  });
});

it('refuses control characters in titles and searches', async () => {
  const title = 'Serve\u0000volley';
  for (const { status, error } of [
    await app.call(coach, catalogueApi.createTemplate, { ...lesson, title }),
    await app.call(null, discoverApi.discoverSlots, { search: title }),
  ]) {
    expect([status, error?.message]).toEqual([
      422,
      "This text contains characters we can't save. Please type it again.",
    ]);
  }
});
