import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const lookEveryMs = 1_000;

/** Starts the embedded PostgreSQL and restarts it on the same port if it dies. Requests get 503 in the meantime. */
export async function keepEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  const port = Number(new URL(postgres.url).port);
  const ending = new AbortController();
  async function keep(): Promise<void> {
    while (!ending.signal.aborted) {
      await delay(lookEveryMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      if (ending.signal.aborted || (await postgres.isRunning())) continue;
      await startEmbeddedPostgres({ dataDir, port }).then(
        () => log.error('PostgreSQL had stopped and was restarted'),
        ({ message }: Error) =>
          log.error({ reason: message }, 'PostgreSQL has stopped and cannot be restarted'),
      );
    }
  }
  const kept = keep();
  return {
    ...postgres,
    stop: async () => {
      ending.abort();
      await kept;
      await postgres.stop();
    },
  };
}
