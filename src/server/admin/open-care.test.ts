import { expect, test } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { adminCareApi } from '#domain/admin/care-contract.ts';
import { openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const family = openFamily(app);

test('shows an admin care details for a stated reason, emailed to every guardian [PART-5c]', async () => {
  const [admin, parent, other] = [
    await app.signIn('admin'),
    await app.signIn('customer'),
    await app.signIn('customer'),
  ];
  const participantId = await family.addReadyChild(parent, { fullName: 'Mia Morgan' });
  await family.shareWith(parent, other, participantId);
  const open = (reason: string) => app.call(admin, adminCareApi.open, { participantId, reason });
  expect((await open('  ')).status).toBe(422);
  expect((await app.call(parent, careApi.listCareReads, { participantId })).body.reads).toEqual([]);

  const reason = 'The family asked us to correct a telephone number.';
  const { body } = await open(reason);
  expect(body).toEqual({ fullName: 'Mia Morgan', care: plainCare });
  for (const guardian of [parent, other]) {
    const message = await eventually(async () =>
      (await app.emailsTo(guardian.email)).find(({ subject }) =>
        subject.startsWith('An admin opened care details'),
      ),
    );
    expect(message.text).toContain(reason);
    expect(message.text).not.toContain('0113');
  }
  expect((await app.call(other, careApi.listCareReads, { participantId })).body.reads).toMatchObject([
    { readerRole: 'admin', lesson: null, reason },
  ]);
  const audit = await app.db
    .selectFrom('auditLog')
    .select(['actorUserId', 'after'])
    .where('action', '=', 'care.opened')
    .execute();
  expect(audit).toEqual([{ actorUserId: admin.userId, after: null }]);

  const self = await app.call(admin, adminCareApi.open, { participantId: parent.userId, reason });
  expect([self.status, self.body.care]).toEqual([200, null]);
});

test('requires a fresh proof of identity; refuses unknown participants', async () => {
  const admin = await app.signIn('admin');
  const reason = 'A question from the family';
  const unknown = await app.call(admin, adminCareApi.open, { participantId: crypto.randomUUID(), reason });
  expect(unknown.status).toBe(404);
  await app.db
    .updateTable('sessions')
    .set({ confirmedAt: new Date(Date.now() - 16 * 60_000).toISOString() })
    .where('userId', '=', admin.userId)
    .execute();
  const { error } = await app.call(admin, adminCareApi.open, { participantId: crypto.randomUUID(), reason });
  expect(error?.code).toBe('confirmation_required');
});
