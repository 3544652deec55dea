import { Client } from 'pg';
import { inject } from 'vitest';
import { dropDatabase } from './drop-database.test-support.ts';

let created = 0;

/**
 * Statement timeout in milliseconds for tests of other behaviour: a machine that runs many tests concurrently may stall
 * for longer than people would wait.
 */
export const testStatementTimeoutMs = 20_000;

/**
 * Creates a migrated, otherwise empty database for one test file or test, by copying the template of this run (which
 * takes tens of milliseconds). `drop` ends its remaining connections; without it, the database is dropped when the run
 * ends.
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const prefix = inject('databasePrefix');
  created += 1;
  const name = `${prefix}_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${created}_${Date.now().toString(36)}`;
  const url = new URL(inject('postgresUrl'));
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name} template ${prefix}_template`).finally(() => client.end());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(inject('postgresUrl'), name) };
}
