import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#server/test-support/test-database.test-support.ts';

test('creates a separate migrated database per call, and drops one that is in use', async () => {
  const databases = await Promise.all(Array.from({ length: 6 }, createTestDatabase));
  expect(new Set(databases.map(({ url }) => url)).size).toBe(6);
  for (const { url } of databases) {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('select count(*)::int as applied from schema_migrations');
    expect(rows[0].applied).toBeGreaterThan(0);
    await client.end();
  }
  const [first, ...others] = databases;
  await Promise.all(others.map(({ drop }) => drop()));
  const left = new Client({ connectionString: first!.url });
  left.on('error', () => undefined);
  await left.connect();
  await first!.drop();
  await expect(left.query('select 1')).rejects.toThrow();
});
