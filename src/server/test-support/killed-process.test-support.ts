import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '#server/platform/free-port.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { pathOfProgram } from './built-programs.test-support.ts';
import { eventually, type TestApp } from './test-app.test-support.ts';

/** Another server process, on the same database and Stripe simulator, that can be killed. */
export type KillableProduct = { url: string; kill: () => Promise<void> };

/** Starts another process on a free port, with the Stripe simulator at `apiBase`, and waits until it responds. */
export async function startKillableProduct(app: TestApp, apiBase: string): Promise<KillableProduct> {
  for (let tries = 1; ; tries += 1) {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const child = launch(app, apiBase, port);
    if (await untilServing(url, child)) return { url, kill: () => kill(child) };
    // Another test may have taken the port in the meantime.
    if (tries === 3) throw new Error(`The server ended with code ${child.exitCode}.`);
  }
}

function launch(app: TestApp, apiBase: string, port: number): ChildProcess {
  const { stripe, email } = app.config;
  return spawn(process.execPath, [pathOfProgram('main')], {
    cwd: packageRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: app.config.publicUrl,
      DATABASE_URL: app.databaseUrl,
      DATABASE_STATEMENT_TIMEOUT_MS: String(app.config.statementTimeoutMs),
      AUTH_SIGNING_KEYS: JSON.stringify(app.config.signingKeys),
      DATA_KEY: app.config.dataKeys.join(),
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_BASE: apiBase,
      MAIL_OUTBOX: email.outbox,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    },
  });
}

/** Waits until the process responds. Returns false if it has ended instead. */
async function untilServing(url: string, child: ChildProcess): Promise<boolean> {
  await eventually(
    async () =>
      child.exitCode !== null ||
      fetch(`${url}/healthz`).then(
        (response) => response.ok,
        () => false,
      ),
    60_000,
  );
  return child.exitCode === null;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
