import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type PlatformFee, settingsApi } from '#domain/settings/contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const changeFee = (fee: Pick<PlatformFee, 'percent' | 'enabled'>) =>
  app.call(admin, settingsApi.updatePlatformFee, { mode: 'percentage', ...fee });

/** Waits until every queued email has been sent; returns the emails to this person about the fee. */
async function readFeeEmails({ email }: Someone) {
  await eventually(async () => {
    const { rows } =
      await sql`select from graphile_worker.jobs where task_identifier = 'notifications.deliver'`.execute(
        app.db,
      );
    return rows.length === 0;
  });
  return (await app.emailsTo(email)).filter(({ subject }) => subject.startsWith('The platform fee'));
}

test('emails every active coach once when the effective fee changes [ADM-6d]', async () => {
  const coaches = [await app.signIn('coach'), await app.signIn('coach', 'customer')];
  const [former, customer] = [await app.signIn('coach'), await app.signIn('customer')];
  await app.db.updateTable('coaches').set({ isActive: false }).where('coachId', '=', former.userId).execute();

  expect((await changeFee({ percent: 7.5, enabled: true })).status).toBe(200);
  for (const coach of coaches) {
    const [message, ...others] = await readFeeEmails(coach);
    expect(others).toEqual([]);
    expect(message?.text).toContain('from 2% to 7.5%');
    expect(message?.text).toContain('The new fee applies to bookings made from now on.');
    expect(message?.text).toContain('For a £50.00 lesson, you now get £46.25.');
    expect(message?.text).toContain(`${app.config.publicUrl}/coach/earnings`);
  }

  await changeFee({ percent: 7.5, enabled: true });
  await changeFee({ percent: 7.5, enabled: false });
  // The next two changes do not affect the effective fee.
  await changeFee({ percent: 20, enabled: false });
  await changeFee({ percent: 0, enabled: true });
  await changeFee({ percent: 2, enabled: true });
  for (const coach of coaches) {
    const changes = (await readFeeEmails(coach)).map(({ text }) => /from .+(?=\.\n)/.exec(text)?.[0]);
    expect(changes.sort()).toEqual(['from 2% to 7.5%', 'from 7.5% to no fee', 'from no fee to 2%']);
  }
  expect([...(await readFeeEmails(former)), ...(await readFeeEmails(customer))]).toEqual([]);
});
