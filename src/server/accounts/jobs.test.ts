import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue } from '../platform/jobs.ts';
import { type AccountsServer, startAccountsServer } from './accounts-server.test-support.ts';
import { createUser } from './create-user.ts';

const password = 'orange-corner-flag';
const email = 'kim@jobs.example';
let server: AccountsServer;
beforeAll(async () => {
  server = await startAccountsServer();
  await createUser({ db: server.db, email, password, fullName: 'Kim', roles: [], isConfirmed: true });
});
afterAll(() => server.stop());

test('tidying deletes what has run out and signs nobody out', async () => {
  const { data: kept } = await server.client().signInWithPassword({ email, password });
  const { data: ended } = await server.client().signInWithPassword({ email, password });
  await server.client().signInWithPassword({ email: 'nobody@jobs.example', password });
  const longAgo = new Date(Date.now() - 61 * 86_400_000).toISOString();
  const endedHash = createHash('sha256').update(ended.session!.refresh_token).digest();
  const endedToken = server.db.selectFrom('refreshTokens').where('tokenHash', '=', endedHash);
  const { sessionId } = await endedToken.select('sessionId').executeTakeFirstOrThrow();
  await server.db
    .updateTable('sessions')
    .set({ endedAt: longAgo })
    .where('sessionId', '=', sessionId)
    .execute();
  await server.db.updateTable('rateLimits').set({ expire: 1 }).execute();

  await enqueue(server.db, 'accounts.tidied', {});
  await expect.poll(() => endedToken.select('sessionId').execute(), { timeout: 45_000 }).toEqual([]);
  expect(await server.db.selectFrom('rateLimits').selectAll().execute()).toEqual([]);
  const refreshed = await server.client().refreshSession({ refresh_token: kept.session!.refresh_token });
  expect(refreshed.error).toBeNull();
});
