import { Client } from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';

/** Migrates a database that is no copy of the template, and asks its coaches for nothing, like the template. */
export async function migrateClub(url: string): Promise<void> {
  await migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(askNothing).finally(() => client.end());
}
