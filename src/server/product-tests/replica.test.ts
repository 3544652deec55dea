import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import {
  type EmbeddedPostgres,
  readPassword,
  startEmbeddedPostgres,
} from '#server/embedded/embedded-postgres.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';
import { migrateClub } from '#server/verification/ask-nothing.test-support.ts';

const token = 'only-for-the-monitor';
let folders: string[];
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;

beforeAll(async () => {
  folders = [await mkdtemp(join(tmpdir(), 'app-primary-')), await mkdtemp(join(tmpdir(), 'app-standby-'))];
  const [first = '', second = ''] = folders;
  const made = await startEmbeddedPostgres({ dataDir: first });
  await migrateClub(made.url);
  await made.stop();
  execFileSync('cp', ['-a', `${first}/.`, second]);
  primary = await startEmbeddedPostgres({ dataDir: first, port: portOf(made.url) });
  const home = join(second, 'postgres');
  const source = `host=127.0.0.1 port=${portOf(made.url)} user=postgres password=${await readPassword(home)}`;
  await writeFile(join(home, 'standby.signal'), '');
  await appendFile(join(home, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  standby = await startEmbeddedPostgres({ dataDir: second });
}, 120_000);
afterAll(async () => {
  await standby.stop();
  await primary.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const portOf = (url: string) => Number(new URL(url).port);

async function onReplica(replicaUrl: string, use: (app: TestApp, club: Club) => Promise<void>) {
  const app = await startTestApp({
    env: { DATABASE_REPLICA_URL: replicaUrl, METRICS_TOKEN: token },
    database: { url: primary.url, drop: async () => {} },
  });
  try {
    await use(app, await openClub(app));
  } finally {
    await app.stop();
  }
}

async function readFigure(app: TestApp, name: string): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^app_replica_${name} (\\S+)$`, 'm').exec(await answer.text())?.[1]);
}

async function listed(app: TestApp, club: Club): Promise<string[]> {
  const { status, body } = await app.call(null, discoverApi.discoverSlots, {
    coachId: club.coach.userId,
    limit: 20,
  });
  expect(status).toBe(200);
  return body.slots.map(({ slotId }) => slotId);
}

test.each([
  ['is unreachable', 'unreachable', async () => `postgres://nobody@127.0.0.1:${await findFreePort()}/club`],
  ['is the primary itself', 'not_a_standby', async () => primary.url],
])('reads from the primary if the replica %s', async (_, state, urlOf) => {
  await onReplica(await urlOf(), async (app, club) => {
    const slotId = await club.publish();
    expect(await listed(app, club)).toEqual([slotId]);
    await eventually(async () => (await readFigure(app, state)) === 1);
    expect(await readFigure(app, 'in_use')).toBe(0);
    expect(await listed(app, club)).toEqual([slotId]);
    expect((await fetch(`${app.url}/coaches/${club.coach.userId}`)).status).toBe(200);
  });
});

async function readOnStandby<T extends object>(statement: string, role = 'app'): Promise<{ rows: T[] }> {
  const url = new URL(standby.url);
  url.username = role;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client.query<T>(statement).finally(() => client.end());
}

const onStandby = (statement: string) => readOnStandby(statement, 'postgres');

test('reads from the replica, or from the primary while the replica lags or is down', async () => {
  await onReplica(standby.url, async (app, club) => {
    const slotId = await club.publish();
    await eventually(async () => (await readFigure(app, 'in_use')) === 1);
    await eventually(async () => (await listed(app, club)).includes(slotId));
    expect(await readFigure(app, 'lag_seconds')).toBeLessThanOrEqual(5);

    await onStandby('select pg_wal_replay_pause()');
    const late = await club.publish();
    expect(await listed(app, club), 'read from the replica').toEqual([slotId]);
    const { body } = await app.call(null, slotsApi.readAvailability, { slotIds: late });
    expect(body.slots, 'read from the primary').toMatchObject([{ slotId: late, bookedCount: 0 }]);
    // The recurring jobs keep writing, so the lag grows.
    await eventually(async () => (await readFigure(app, 'lagging')) === 1, 25_000);
    expect(await readFigure(app, 'lag_seconds')).toBeGreaterThan(5);
    expect(await listed(app, club)).toEqual([slotId, late]);

    await onStandby('select pg_wal_replay_resume()');
    await eventually(async () => (await readFigure(app, 'in_use')) === 1);
    await standby.stop();
    expect(await listed(app, club)).toEqual([slotId, late]);
    await eventually(async () => (await readFigure(app, 'unreachable')) === 1);
    expect(await listed(app, club)).toEqual([slotId, late]);
    standby = await startEmbeddedPostgres({ dataDir: folders[1]!, port: portOf(standby.url) });
    await eventually(async () => (await readFigure(app, 'in_use')) === 1);
  });
});

test('continues on a promoted standby without a restart', async () => {
  const both = primary.url.replace(/\/app$/, `,127.0.0.1:${portOf(standby.url)}/app`);
  const url = `${both}?target_session_attrs=read-write`;
  const app = await startTestApp({ database: { url, drop: async () => {} } });
  try {
    const club = await openClub(app);
    const before = await club.publish();
    await eventually(async () => {
      const { rows } = await readOnStandby<{ n: number }>(
        `select count(*)::int as n from lesson_slots where slot_id = '${before}'`,
      );
      return rows[0]!.n === 1;
    });
    await primary.stop();
    await onStandby('select pg_promote()');
    await eventually(async () => (await fetch(`${app.url}/readyz`)).status === 200, 25_000);
    const customer = await club.join();
    expect((await club.book(customer, before)).body).toMatchObject({ outcome: 'booked' });
    await eventually(async () => (await app.emailsTo(customer.email)).length > 0);
  } finally {
    await app.stop();
  }
});
