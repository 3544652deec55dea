import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createUser } from './accounts/create-user.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { readPostmaster, stopPostmaster } from './embedded/postmaster.ts';
import { readConfig } from './platform/config.ts';
import { type Database, openDatabase, openPool } from './platform/db/db.ts';
import { migrate } from './platform/db/migrate.ts';
import { runProgram } from './test-support/built-programs.test-support.ts';
import { createTestDatabase } from './test-support/test-database.test-support.ts';

// Each command starts a separate process.
vi.setConfig({ testTimeout: 120_000 });

/** Runs `npm run admin -- …`; `env` replaces DATABASE_URL and DATA_DIR of this test run. */
function runAdmin(args: string[], env: Record<string, string>) {
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...rest } = process.env;
  return runProgram('admin', args, { ...rest, ...env });
}

async function createPerson(db: Database, email: string, { isConfirmed = true, hasProfile = true } = {}) {
  const passwordHash = 'none';
  const { userId } = await createUser({
    db,
    email,
    passwordHash,
    fullName: 'Ada',
    roles: ['customer'],
    isConfirmed,
  });
  if (!hasProfile) await db.deleteFrom('profiles').where('userId', '=', userId).execute();
  return userId;
}

const rolesOf = async (db: Database, userId: string) =>
  (await db.selectFrom('profiles').select('roles').where('userId', '=', userId).executeTakeFirst())?.roles;

describe('npm run admin with DATABASE_URL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = openDatabase(openPool(database.url, { size: 2 }));
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });
  const admin = (...args: string[]) => runAdmin(args, { DATABASE_URL: database.url });

  test("makes a person the first admin, and refuses to revoke the last admin's role [ROLE-7]", async () => {
    const userId = await createPerson(db, 'first@admin.example', { hasProfile: false });
    const output = await admin('grant', 'First@Admin.example');
    expect(output).toEqual({ code: 0, stdout: 'first@admin.example now has the role admin.\n', stderr: '' });
    expect(await rolesOf(db, userId)).toEqual(['customer', 'admin']);
    const line = await db.selectFrom('auditLog').selectAll().executeTakeFirstOrThrow();
    expect(line).toMatchObject({ action: 'role.granted', actorSystem: 'npm run admin', subjectId: userId });

    expect((await admin('grant', 'first@admin.example')).stdout).toMatch(/already/);
    const last = await admin('revoke', 'first@admin.example', 'admin');
    expect(last).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('last admin') });
    expect(await rolesOf(db, userId)).toContain('admin');
  });

  test('resets two-step sign-in for someone who lost the app', async () => {
    const userId = await createPerson(db, 'lost@admin.example');
    expect((await admin('reset-two-step', 'lost@admin.example')).stdout).toMatch(/is already off/);
    expect((await admin('reset-two-step', 'nobody@admin.example')).stderr).toMatch(/Nobody has signed up/);
    await db.insertInto('factors').values({ userId, status: 'verified', encryptedSecret: 'v1' }).execute();
    await db
      .insertInto('recoveryCodes')
      .values({ userId, codeHash: Buffer.from('code') })
      .execute();
    await db.insertInto('sessions').values({ userId }).execute();
    expect((await admin('reset-two-step', 'Lost@admin.example')).stdout).toMatch(
      /The person will be notified by email/,
    );
    for (const table of ['factors', 'recoveryCodes'] as const) {
      expect(await db.selectFrom(table).selectAll().where('userId', '=', userId).execute()).toEqual([]);
    }
    const sessions = await db.selectFrom('sessions').select('endedAt').where('userId', '=', userId).execute();
    expect(sessions).toEqual([{ endedAt: expect.any(String) }]);
    const line = await db
      .selectFrom('auditLog')
      .selectAll()
      .where('subjectId', '=', userId)
      .executeTakeFirstOrThrow();
    expect(line).toMatchObject({ action: 'two_step.reset', actorSystem: 'npm run admin' });
    const { rows } = await sql<{ subject: string }>`
      select payload ->> 'subject' as subject from graphile_worker._private_jobs
      where payload ->> 'to' = 'lost@admin.example'`.execute(db);
    expect(rows).toEqual([{ subject: expect.stringMatching(/^Two-step sign-in .* was reset$/) }]);
  });

  test('grants and revokes the coach role', async () => {
    const userId = await createPerson(db, 'coach@admin.example');
    expect((await admin('grant', 'coach@admin.example', 'coach')).stdout).toMatch(/now has the role coach/);
    expect(await rolesOf(db, userId)).toEqual(['customer', 'coach']);
    expect((await admin('revoke', 'coach@admin.example', 'coach')).stdout).toMatch(/no longer has/);
    expect(await rolesOf(db, userId)).toEqual(['customer']);
    expect((await admin('revoke', 'coach@admin.example', 'coach')).stdout).toMatch(/does not have/);
  });

  test('explains an error and changes nothing', async () => {
    const userId = await createPerson(db, 'unconfirmed@admin.example', { isConfirmed: false });
    const cases: [string[], RegExp][] = [
      [['grant', 'nobody@admin.example'], /Nobody has signed up as nobody@admin.example/],
      [['grant', 'unconfirmed@admin.example'], /has not confirmed the address yet/],
      [['grant', 'unconfirmed@admin.example', 'king'], /one of these roles: customer, coach, admin/],
      [['promote', 'x'], /no command "promote"/],
    ];
    for (const [args, message] of cases) {
      const output = await admin(...args);
      expect(output.code, args.join(' ')).toBe(1);
      expect(output.stderr).toMatch(message);
      expect(output.stderr).not.toMatch(/ {4}at /);
    }
    expect(await rolesOf(db, userId)).toEqual(['customer']);
  });
});

test('prints new keys that the configuration accepts', async () => {
  const { stdout } = await runAdmin(['keys'], {});
  const env = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => /^(\w+)='?(.*?)'?$/.exec(line)!.slice(1)),
  );
  const config = readConfig({
    ...env,
    DATABASE_URL: 'postgres://localhost/club',
    PUBLIC_URL: 'https://club.example',
    SMTP_URL: 'smtp://localhost',
    STRIPE_SECRET_KEY: 'sk',
    STRIPE_WEBHOOK_SECRET: 'whsec',
  });
  expect(config.signingKeys).toHaveLength(1);
  expect((await runAdmin(['keys'], {})).stdout).not.toBe(stdout);
});

test('works on the embedded database and leaves it running or stopped, as it was [ROLE-7]', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'app-admin-'));
  const home = join(dataDir, 'postgres');
  try {
    const early = await runAdmin(['grant', 'first@admin.example'], { DATA_DIR: dataDir });
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Run npm start once') });

    const postgres = await startEmbeddedPostgres({ dataDir });
    await migrate(postgres.url);
    const db = openDatabase(openPool(postgres.url, { size: 2 }));
    const userId = await createPerson(db, 'first@admin.example');
    await createPerson(db, 'second@admin.example');
    const running = await runAdmin(['grant', 'first@admin.example'], { DATA_DIR: dataDir });
    expect(running.stdout).toMatch(/now has the role admin/);
    expect(await rolesOf(db, userId)).toContain('admin');
    await db.destroy();
    await postgres.stop();

    const stopped = await runAdmin(['grant', 'second@admin.example'], { DATA_DIR: dataDir });
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('now has the role admin') });
    expect(await readPostmaster(home)).toBeUndefined();
  } finally {
    await stopPostmaster(home);
    await rm(dataDir, { recursive: true });
  }
});
