import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const timeoutMs = 20_000;

/**
 * Drops a database of the server at `serverUrl`, ending its connections. A role that is not a superuser may not end
 * the server's autovacuum worker. That worker uses a database only briefly, so the drop waits for it.
 */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  const began = Date.now();
  try {
    for (;;) {
      try {
        await client.query(`drop database if exists ${name} with (force)`);
        return;
      } catch (error) {
        const isVacuumed = ['42501', '55006'].includes((error as { code?: string }).code ?? '');
        if (!isVacuumed || Date.now() - began > timeoutMs) throw error;
        await delay(100);
      }
    }
  } finally {
    await client.end();
  }
}
