import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '#server/platform/package-root.ts';
import { runProgram } from '#server/test-support/built-programs.test-support.ts';

/** The variables of an env file as a shell reads them. */
function readByShell(text: string, names: string[]): Record<string, string | undefined> {
  const env = { PATH: process.env.PATH };
  const print = 'process.stdout.write(JSON.stringify(process.env))';
  const script = `set -a\n${text}\nexec "${process.execPath}" -e '${print}'`;
  const all = JSON.parse(execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }));
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

test('reads the same variables from the example env file in a shell and in Node', async () => {
  const example = await readFile(join(packageRoot, '.env.example'), 'utf8');
  const keys = await runProgram('admin', ['keys'], { PATH: process.env.PATH });
  const filled = `${example.replace(/^(AUTH_SIGNING_KEYS|DATA_KEY)=\n/gm, '')}\n${keys.stdout}`;
  const variables = parseEnv(filled);
  expect(variables).toMatchObject({ MAIL_FROM: 'Riverside Sports <no-reply@club.example>' });
  expect(JSON.parse(variables.AUTH_SIGNING_KEYS!)).toHaveLength(1);
  expect(readByShell(filled, Object.keys(variables))).toEqual(variables);
});
