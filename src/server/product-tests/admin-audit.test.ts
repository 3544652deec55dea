import { expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { addGalleryPicture } from '#server/storage/pictures.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

/** Creates a refund for which the Stripe simulator returns an error, and marks the refund as `failed`. */
async function giveUpRefund(): Promise<string> {
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, await club.publish())).body;
  await app.cardNetwork.control({ errorRate: 1 });
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const { refundId } = await app.db
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.paymentId', 'refunds.paymentId')
    .select('refundId')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  await eventually(async () => {
    const { attempts } = await app.db
      .selectFrom('refunds')
      .select('attempts')
      .where('refundId', '=', refundId)
      .executeTakeFirstOrThrow();
    return attempts > 0;
  });
  const givenUp = { status: 'failed' as const, givenUpAt: new Date().toISOString() };
  await app.db.updateTable('refunds').set(givenUp).where('refundId', '=', refundId).execute();
  await app.cardNetwork.control({ errorRate: 0 });
  return refundId;
}

test('audits every admin change and export with the admin and the time [ROLE-6b]', async () => {
  const coach = await addPayableCoach(app);
  const bookingIds = await writeSoldLessons(app, coach, { count: 2, endedAt: Date.now() - 3_600_000 });
  const person = await app.signIn('customer');
  const { userId } = person;
  // Payruns can require a second admin only if a second admin exists.
  await app.signIn('admin');
  const act = async <E extends Endpoint>(endpoint: E, input: Parameters<typeof app.call<E>>[2]) => {
    const { error, body } = await app.call(admin, endpoint, input);
    expect(error?.message, endpoint.operationId).toBeUndefined();
    return body;
  };
  const [paid, cancelled] = [{ payrunId: '' }, { payrunId: '' }];
  const owner = await app.signIn('coach', 'customer');
  const { pictureId } = await addGalleryPicture(app.url, owner);
  await app.call(owner, storageApi.reportPicture, { pictureId, reason: 'Not our court' });
  const [tried, settled] = [await giveUpRefund(), await giveUpRefund()];
  /** Makes every admin call that changes or exports something, once. Add a line for each new call. */
  const events: Record<string, () => Promise<unknown>> = {
    change_role: () => act(adminApi.changeRole, { userId, role: 'coach', isHeld: true }),
    end_sessions_of: () => act(adminApi.endSessionsOf, { userId }),
    create_payrun: async () => {
      paid.payrunId = (await act(payoutsApi.createPayrun, { bookingIds: [bookingIds[0]!] })).payrun.payrunId;
    },
    get_payrun_csv_rows: () => act(payoutsApi.getPayrunCsvRows, paid),
    mark_payrun_paid: () => act(payoutsApi.markPayrunPaid, paid),
    cancel_payrun: () => act(payoutsApi.cancelPayrun, { ...cancelled, reason: 'Wrong reference' }),
    retry_refund: () => act(refundsApi.retry, { refundId: tried }),
    settle_refund: () => act(refundsApi.settle, { refundId: settled, reason: 'Bank transfer' }),
    update_platform_fee: () =>
      act(settingsApi.updatePlatformFee, { mode: 'percentage', percent: 3, enabled: true }),
    update_cancellation_policy: () =>
      act(settingsApi.updateCancellationPolicy, {
        ...{ freeUntilHours: 48, lateRefundPercent: 50, refundsEnabled: true },
      }),
    update_brand: () => act(settingsApi.updateBrand, { name: 'Leeds Lessons' }),
    update_contact: () => act(settingsApi.updateContact, { email: 'desk@club.example' }),
    update_landing_stats: () => act(settingsApi.updateLandingStats, { isShown: false, stats: [] }),
    update_payrun_control: () => act(settingsApi.updatePayrunControl, { needsSecondAdmin: true }),
    decide_picture: () => act(storageApi.decidePicture, { pictureId, decision: 'keep' }),
    export_audit: () => act(adminApi.exportAudit, {}),
    save_site_text: () => act(siteTextsApi.save, { slug: 'help', text: 'Ring us.' }),
  };
  const changing = [...readContracts().values()].filter(
    ({ gate, method, operationId }) =>
      gate === 'admin' && method !== 'GET' && operationId !== payoutsApi.previewPayrun.operationId,
  );
  expect(Object.keys(events).sort()).toEqual(changing.map(({ operationId }) => operationId).sort());

  // Saves these settings first, so that the later calls change an existing value.
  await act(settingsApi.updateContact, { email: 'first@club.example' });
  await act(settingsApi.updateBrand, { name: 'First Lessons' });
  await act(siteTextsApi.save, { slug: 'help', text: 'Write to us.' });
  const recorded: Record<string, string> = {};
  for (const [name, event] of Object.entries(events)) {
    if (name === 'cancel_payrun') {
      const { payrun } = await act(payoutsApi.createPayrun, { bookingIds: [bookingIds[1]!] });
      cancelled.payrunId = payrun.payrunId;
    }
    const readLines = () =>
      app.db
        .selectFrom('auditLog')
        .selectAll()
        .where('actorUserId', '=', admin.userId)
        .orderBy('auditId')
        .execute();
    const before = await readLines();
    await event();
    const [line, ...more] = (await readLines()).slice(before.length);
    expect(more, name).toEqual([]);
    expect(line, name).toMatchObject({
      subjectId: expect.any(String),
      after: expect.anything(),
    });
    recorded[name] = `${line!.action} of ${line!.subjectType}`;
    expect(Math.abs(Date.parse(line!.at) - Date.now()), name).toBeLessThan(60_000);
    // New records and exports have no previous state.
    const isChange = !['create_payrun', 'export_audit', 'get_payrun_csv_rows'].includes(name);
    if (isChange) expect(line!.before, name).not.toBeNull();
  }
  const setting = 'setting.changed of setting';
  expect(recorded).toEqual({
    ...{ change_role: 'role.granted of profile', end_sessions_of: 'sessions.ended of profile' },
    ...{ create_payrun: 'payrun.created of payrun', get_payrun_csv_rows: 'payrun.exported of payrun' },
    ...{ mark_payrun_paid: 'payrun.paid of payrun', cancel_payrun: 'payrun.cancelled of payrun' },
    ...{ retry_refund: 'refund.retried of refund', settle_refund: 'refund.settled of refund' },
    ...{ update_platform_fee: setting, update_cancellation_policy: setting, update_brand: setting },
    ...{ update_contact: setting, update_landing_stats: setting, update_payrun_control: setting },
    ...{ decide_picture: 'picture.kept of picture', export_audit: 'audit_log.exported of audit_log' },
    save_site_text: setting,
  });
});
