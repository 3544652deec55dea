import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const creator = beforeTests(() => app.signIn('admin'));

let ended = 0;

async function createPayrun() {
  ended += 1;
  const coach = await addPayableCoach(app);
  const bookingIds = await writeSoldLessons(app, coach, {
    count: 1,
    endedAt: Date.now() - ended * 86_400_000,
  });
  const { body, error } = await app.call(creator, payoutsApi.createPayrun, { bookingIds });
  expect(error).toBeUndefined();
  return body.payrun;
}

const needSecondAdmin = (needsSecondAdmin: boolean) =>
  app.call(creator, settingsApi.updatePayrunControl, { needsSecondAdmin });
const markPaid = (who: Someone, payrunId: string) => app.call(who, payoutsApi.markPayrunPaid, { payrunId });
const exportFile = (who: Someone, payrunId: string) =>
  app.call(who, payoutsApi.getPayrunCsvRows, { payrunId });

const setPaidBy = (payrunId: string, paidBy: string | null) =>
  app.db
    .updateTable('payruns')
    .set({ status: 'paid', paidAt: new Date().toISOString(), paidBy })
    .where('payrunId', '=', payrunId)
    .execute();

test('refuses to require two admins while there is only one admin', async () => {
  const { status, error } = await needSecondAdmin(true);
  expect([status, Object.keys(error?.fields ?? {})]).toEqual([409, ['needsSecondAdmin']]);
  const { body } = await app.call(creator, settingsApi.getSettings, {});
  expect(body.payrunControl).toEqual({ needsSecondAdmin: false });
});

test('lets one admin create, export and pay a payrun unless two are required [ADM-9]', async () => {
  const { payrunId, needsSecondAdmin } = await createPayrun();
  expect(needsSecondAdmin).toBe(false);
  expect((await exportFile(creator, payrunId)).status).toBe(200);
  expect((await markPaid(creator, payrunId)).body.payrun.status).toBe('paid');
});

test("refuses to let a payrun's creator export or pay it if two admins are required [ADM-9]", async () => {
  const [second, third] = [await app.signIn('admin'), await app.signIn('admin')];
  expect((await needSecondAdmin(true)).body.payrunControl).toEqual({ needsSecondAdmin: true });
  const emails = await eventually(async () => {
    const found = await app.emailsTo(second.email);
    return found.length > 0 ? found : null;
  });
  expect(emails.map(({ subject }) => subject)).toEqual([`Payruns at ${defaultBrand} now need two admins`]);

  const [payrun, kept] = [await createPayrun(), await createPayrun()];
  const { payrunId } = payrun;
  const isAsked = async ({ email }: Someone, about = payrunId) =>
    (await app.emailsTo(email)).some(({ subject }) => subject.startsWith(`Payrun ${about.slice(0, 8)} at`));
  await eventually(() => isAsked(second));
  await eventually(() => isAsked(third));
  expect(await isAsked(creator)).toBe(false);
  expect(payrun).toMatchObject({
    needsSecondAdmin: true,
    createdBy: { userId: creator.userId },
    paidBy: null,
  });
  for (const refused of [await exportFile(creator, payrunId), await markPaid(creator, payrunId)]) {
    expect([refused.status, refused.error?.message]).toEqual([
      409,
      'You created this payrun. Another admin has to download its file and mark it as paid.',
    ]);
  }
  const waitsFor = async (admin: Someone) =>
    (await app.call(admin, adminHomeApi.getAdminHome, {})).body.pendingPayruns.payruns;
  expect((await waitsFor(second)) - (await waitsFor(creator)), 'both payruns').toBe(2);
  expect((await exportFile(second, payrunId)).body.rows).toHaveLength(1);
  const paid = await markPaid(second, payrunId);
  expect(paid.body.payrun.status).toBe('paid');
  const payer = await app.db
    .selectFrom('profiles')
    .select('fullName')
    .where('userId', '=', second.userId)
    .executeTakeFirstOrThrow();
  expect(paid.body.payrun.paidBy).toBe(payer.fullName);

  // Switching the setting off does not unlock pending payruns; their creator may still cancel them.
  expect((await needSecondAdmin(false)).status).toBe(200);
  expect((await markPaid(creator, kept.payrunId)).status).toBe(409);
  const cancelled = await app.call(creator, payoutsApi.cancelPayrun, {
    payrunId: kept.payrunId,
    reason: 'Wrong month',
  });
  expect(cancelled.body.payrun.status).toBe('cancelled');

  // Payruns created without the setting need one admin, and nobody is emailed.
  const single = await createPayrun();
  expect(single.needsSecondAdmin).toBe(false);
  const unsent = sql`select from graphile_worker.jobs where task_identifier = 'notifications.deliver'`;
  await eventually(async () => (await unsent.execute(app.db)).rows.length === 0);
  for (const admin of [second, third]) expect(await isAsked(admin, single.payrunId)).toBe(false);
  expect((await exportFile(creator, single.payrunId)).status).toBe(200);
});

test('makes the database refuse a payrun paid by its creator or by nobody [ADM-9]', async () => {
  const second = await app.signIn('admin');
  await needSecondAdmin(true);
  const { payrunId } = await createPayrun();
  await expect(setPaidBy(payrunId, creator.userId)).rejects.toThrow(/payruns_paid_by_second_admin/);
  await expect(setPaidBy(payrunId, null)).rejects.toThrow(/payruns_paid_by_second_admin/);
  expect((await markPaid(second, payrunId)).body.payrun.status).toBe('paid');
});
