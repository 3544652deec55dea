import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recurringJobs } from '#domain/jobs.ts';
import { packageRoot } from '#server/platform/package-root.ts';

test('lists every recurring job and its schedule in the operations guide', async () => {
  const guide = await readFile(join(packageRoot, 'docs/operations.md'), 'utf8');
  const section = guide.split('\n## Recurring jobs\n')[1]?.split('\n## ')[0];
  const rows = [...(section ?? '').matchAll(/^\| `(\S+)` \| `(.+?)` \| \S/gm)];
  const listed = rows.map(([, job, when]) => [job, when]);
  expect(Object.fromEntries(listed)).toEqual(recurringJobs);
});
