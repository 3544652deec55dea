import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { stopPostmaster } from '#server/embedded/postmaster.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';
import { dropDatabase } from './drop-database.test-support.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database of the test server that is used only to connect and to create other databases. */
    postgresUrl: string;
    /** Prefix of every database of this run; the migrated database to copy from is `<prefix>_template`. */
    databasePrefix: string;
  }
}

const folderPrefix = 'app-test-';

/**
 * Once per run of vitest: uses the PostgreSQL of DATABASE_URL, or starts the embedded one in a temporary folder, and
 * migrates the database that every test copies.
 */
export default async function prepareTestPostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: () => Promise.resolve() }
    : await startTemporaryPostgres();
  const prefix = `app_test_${process.pid}_${Date.now().toString(36)}`;
  const template = new URL(server.url);
  template.pathname = `/${prefix}_template`;
  await run(server.url, `create database ${prefix}_template`);
  await migrate(template.href);
  await run(template.href, askNothing);
  project.provide('postgresUrl', server.url);
  project.provide('databasePrefix', prefix);
  return async () => {
    const left = await run(server.url, `select datname from pg_database where datname like '${prefix}%'`);
    for (const { datname } of left) await dropDatabase(server.url, datname);
    await server.stop();
  };
}

async function startTemporaryPostgres() {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(folderPrefix) && name.slice(folderPrefix.length));
    if (pid && !isAlive(pid)) await removeLeftover(join(tmpdir(), name));
  }
  const dataDir = join(tmpdir(), `${folderPrefix}${process.pid}`);
  // Several test files run concurrently, each with up to three processes that use 27 connections.
  const { url, stop } = await startEmbeddedPostgres({ dataDir, maxConnections: 400 });
  await waitForNoDisk(url);
  return {
    url,
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Turns off syncing to disk: these databases needn't survive a power cut, only the end of a process. */
async function waitForNoDisk(url: string): Promise<void> {
  const superuser = new URL(url);
  superuser.username = 'postgres';
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await run(superuser.href, `alter system set ${setting} = off`);
  }
  await run(superuser.href, 'select pg_reload_conf()');
}

/** Stops and removes the server that a killed run left running, unless it belongs to another user. */
async function removeLeftover(dataDir: string): Promise<void> {
  try {
    await stopPostmaster(join(dataDir, 'postgres'));
    await rm(dataDir, { recursive: true, force: true });
  } catch (error) {
    if (!['EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function run(url: string, text: string): Promise<{ datname: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
