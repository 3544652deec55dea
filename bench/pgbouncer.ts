import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { findPostgresUser } from '#server/embedded/postgres-binaries.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { startAppProcess } from '../chaos/app-process.ts';
import { buildProcesses } from '../chaos/build.ts';
import { startKillablePostgres } from '../chaos/postgres.ts';

const password = 'correct-horse-battery';

/**
 * Checks the server behind PgBouncer. In session mode, with a database set to London's time zone, the server must
 * respond, write and run jobs. In transaction mode, it must refuse to start and print one sentence. Otherwise, or
 * without PgBouncer, the exit code is 1.
 */
export async function benchPgbouncer(): Promise<void> {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
  } catch {
    console.log('pgbouncer: PgBouncer is not installed (apt-get install pgbouncer), so nothing was checked.');
    process.exitCode = 1;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'app-pgbouncer-'));
  const [commands, postgres] = await Promise.all([buildProcesses(), startKillablePostgres()]);
  await postgres.createDatabase('pooled');
  const direct = postgres.urlOf('pooled');
  const env = {
    ...(generateSecrets() as Record<string, string>),
    PUBLIC_URL: 'https://club.example',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    MAIL_OUTBOX: join(folder, 'outbox'),
    STORAGE_DIR: join(folder, 'files'),
    LOG_LEVEL: 'silent',
  };
  const db = openDatabase(openPool(direct.href, { size: 2 }));
  await sql`alter database pooled set timezone = 'Europe/London'`.execute(db);
  try {
    for (const mode of ['session', 'transaction'] as const) {
      const pooler = await startPgbouncer(folder, mode, direct);
      const wrong = await (mode === 'session' ? serve(pooler.url) : refuse(pooler.url)).finally(pooler.stop);
      console.log(`pgbouncer, ${mode} mode: ${wrong ?? 'as documented'}`);
      if (wrong) process.exitCode = 1;
    }
  } finally {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function serve(url: string): Promise<string | undefined> {
    const email = 'coach@test.example';
    await createUser({ db, email, password, fullName: 'Coach', roles: ['coach'], isConfirmed: true });
    const app = await startAppProcess(commands.app, { ...env, DATABASE_URL: url });
    try {
      await app.untilReady();
      const { body } = await post(`${app.url}/auth/v1/token?grant_type=password`, { email, password });
      const token = String(body.access_token);
      const made = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          post(app.url + catalogueApi.createTemplate.path, template(`Pooled ${n}`), token),
        ),
      );
      const failed = made.find(({ status }) => status !== 200);
      if (failed) return `a write returned ${failed.status}`;
      await sendEmail(db, email, { subject: 'Pooled', body: ['Pooled'] });
      const deadline = Date.now() + 20_000;
      while ((await readdir(env.MAIL_OUTBOX).catch(() => [])).length === 0) {
        if (Date.now() > deadline) return 'no job ran within 20 s';
        await delay(100);
      }
      return undefined;
    } finally {
      await app.kill();
    }
  }

  async function refuse(url: string): Promise<string | undefined> {
    const child = spawn(commands.app[0]!, commands.app.slice(1), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH ?? '', ...env, DATABASE_URL: url, PORT: '0' },
    });
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    clearTimeout(giveUp);
    const isSentence = /^DATABASE_URL leads to a connection pooler in transaction mode[^\n]*\n$/.test(said);
    return code === 1 && isSentence ? undefined : `ended with ${code} and said: ${said}`;
  }
}

const template = (title: string) => ({
  title,
  sport: 'tennis',
  durationMinutes: 60,
  basePriceCents: 5000,
  lessonType: 'individual',
});

async function post(url: string, body: object, token?: string) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Starts PgBouncer in front of this database. PgBouncer refuses to run as root, so root starts it as another user. */
async function startPgbouncer(folder: string, mode: 'session' | 'transaction', database: URL) {
  const port = await findFreePort();
  const user = await findPostgresUser(join(folder, 'none'));
  const home = await mkdtemp(join(tmpdir(), `app-pgbouncer-${mode}-`));
  const file = join(home, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
pooled = host=${database.hostname} port=${database.port} dbname=pooled user=${database.username} password=${database.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
max_client_conn = 100
`,
    { mode: 0o600 },
  );
  if (user) for (const path of [home, file]) await chown(path, user.uid, user.gid);
  await chmod(home, 0o700);
  const child = spawn('pgbouncer', ['-q', file], { ...user, cwd: '/', stdio: 'ignore' });
  const url = `postgres://${database.username}:any@127.0.0.1:${port}/pooled`;
  const probe = openPool(url, { size: 1 });
  while (!(await probe.query('select 1').catch(() => undefined))) await delay(50);
  await probe.end();
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
