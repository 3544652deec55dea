import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '#server/platform/package-root.ts';
import { startTestApp } from '#server/test-support/test-app.test-support.ts';

const token = 'only-for-the-monitor';

test('serves every metric named in the alert rules and the operations guide', async () => {
  // Nothing listens at this address, but the replica's metrics exist as soon as a replica is configured.
  const env = { METRICS_TOKEN: token, DATABASE_REPLICA_URL: 'postgres://127.0.0.1:9/app' };
  const app = await startTestApp({ env });
  try {
    const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const served = new Set((await answer.text()).match(/(?<=^# TYPE )app_\w+/gm));
    for (const file of ['deploy/prometheus-rules.yml', 'docs/operations.md']) {
      const text = await readFile(join(packageRoot, file), 'utf8');
      const named = text
        .match(/(?<![\w/])app_[a-z_]+[a-z]/g)
        ?.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
      expect(named).not.toEqual([]);
      expect(named?.filter((name) => !served.has(name))).toEqual([]);
    }
  } finally {
    await app.stop();
  }
});
