import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createUser } from '#server/accounts/create-user.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { password, setUpAccountsServer } from '#server/test-support/accounts-server.test-support.ts';

const email = 'kim@jobs.example';
const server = setUpAccountsServer();
beforeAll(async () => {
  await createUser({ db: server.db, email, password, fullName: 'Kim', roles: [], isConfirmed: true });
});

test('ends a session unused for 30 days and keeps a session in use', async () => {
  const { data: kept } = await server.client().signInWithPassword({ email, password });
  const { data: unused } = await server.client().signInWithPassword({ email, password });
  const longAgo = new Date(Date.now() - 31 * 86_400_000).toISOString();
  const hash = createHash('sha256').update(unused.session!.refresh_token).digest();
  const { sessionId } = await server.db
    .selectFrom('refreshTokens')
    .select('sessionId')
    .where('tokenHash', '=', hash)
    .executeTakeFirstOrThrow();
  const session = server.db.selectFrom('sessions').select('endedAt').where('sessionId', '=', sessionId);
  await server.db
    .updateTable('sessions')
    .set({ refreshedAt: longAgo })
    .where('sessionId', '=', sessionId)
    .execute();

  await enqueue(server.db, 'auth.sessions-expired', {});
  await expect
    .poll(async () => (await session.executeTakeFirstOrThrow()).endedAt, { timeout: 45_000 })
    .not.toBeNull();
  const refreshed = await server.client().refreshSession({ refresh_token: kept.session!.refresh_token });
  expect(refreshed.error).toBeNull();
});
