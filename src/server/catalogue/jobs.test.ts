import { expect, it } from 'vitest';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { nextDays } from '#server/test-support/catalogue.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

it('completes only scheduled lessons that are over', async () => {
  const coach = await app.signIn('coach');
  const { body } = await app.call(coach, catalogueApi.createTemplate, {
    title: 'Sprints',
    durationMinutes: 60,
    basePriceCents: 1500,
    lessonType: 'individual',
  });
  const [startDate, ...additionalDates] = nextDays(4) as [string, ...string[]];
  const { templateId } = body.template;
  const plan = { templateId, mode: 'dates' as const, startDate, additionalDates };
  const { slots } = (await app.call(coach, slotsApi.createSlots, plan)).body;
  const [over, running, coming, cancelled] = slots.map((slot) => slot.slotId) as [
    string,
    string,
    string,
    string,
  ];
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const set = (slotId: string, change: object) =>
    app.db.updateTable('lessonSlots').set(change).where('slotId', '=', slotId).execute();
  await set(over, { startTime: at(-65), endTime: at(-5) });
  await set(running, { startTime: at(-4), endTime: at(56) });
  await set(cancelled, { startTime: at(-165), endTime: at(-105), status: 'cancelled' });
  const statusOf = async (slotId: string) =>
    (await app.call(coach, slotsApi.getCoachSlot, { slotId })).body.slot.status;
  await enqueue(app.db, 'catalogue.slots-ended', {});
  await eventually(async () => (await statusOf(over)) === 'completed');
  expect(await Promise.all([running, coming, cancelled].map(statusOf))).toEqual([
    'scheduled',
    'scheduled',
    'cancelled',
  ]);
});
