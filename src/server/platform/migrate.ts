import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrateJobs } from './jobs.ts';
import { packageRoot } from './package-root.ts';

// An arbitrary constant: processes that start at once take turns at migrating.
const migrationLock = 7_203_114;

/**
 * Brings a database to the newest schema. Plain SQL files run in the order of their names, each in a
 * transaction of its own, once. Throws where a file that has already run was changed since, and where the
 * database knows a migration that this code does not.
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select * from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const directory = join(packageRoot, 'migrations');
    const files = (await readdir(directory)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort();
    const unknown = [...applied.keys()].find((name) => !files.includes(name));
    if (unknown) throw new Error(`The database is newer than this program: it knows migration ${unknown}.`);
    for (const file of files) {
      const text = await readFile(join(directory, file), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const known = applied.get(file);
      if (known === checksum) continue;
      if (known) throw new Error(`Migration ${file} was changed after it ran. Add a new migration instead.`);
      await client.query('begin');
      await client.query(text);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file, checksum]);
      await client.query('commit');
    }
    await migrateJobs(url);
  } finally {
    await client.end();
  }
}
