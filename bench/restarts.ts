import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { launchStripeSimulator } from '#tools/stripe-sandbox/launch.ts';
import { buildProcesses } from '../chaos/build.ts';
import { startKillablePostgres } from '../chaos/postgres.ts';
import { plainNginxSite } from '../deploy/cluster/config-files.ts';

const password = 'correct-horse-battery';
const clients = 12;
/**
 * How long each client waits between a response and its next request, in milliseconds: about 80 requests a second in
 * total.
 */
const pauseMs = 120;

/**
 * Restarts two processes behind nginx in turn, `restarts` times in total, while clients send at least
 * `requests` POSTs, each of which writes a row. Prints how many failed and how many rows were written. The
 * exit code is 1 if any POST failed or the number of rows differs from the number of successful POSTs.
 */
export async function benchRestarts({ restarts, requests }: { restarts: number; requests: number }) {
  if (!hasNginx()) {
    console.log('restarts: nginx is not installed (apt-get install nginx), so nothing was measured.');
    process.exitCode = 1;
    return;
  }
  console.log(`\nRestarts behind nginx: ${restarts} restarts, at least ${requests} POSTs`);
  const folder = await mkdtemp(join(tmpdir(), 'app-restarts-'));
  const [commands, postgres] = await Promise.all([buildProcesses(), startKillablePostgres()]);
  await postgres.createDatabase('restarts');
  const url = postgres.urlOf('restarts').href;
  const secrets = generateSecrets() as Record<string, string>;
  const stripeSimulator = await launchStripeSimulator({
    dataDir: join(folder, 'card-network'),
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
    command: commands.stripeSimulator,
  });
  const env = {
    ...secrets,
    DATABASE_URL: url,
    PUBLIC_URL: 'https://club.example',
    STRIPE_API_BASE: stripeSimulator.url,
    CHANGE_NOTICE_SECONDS: '0',
    MAIL_OUTBOX: join(folder, 'outbox'),
    STORAGE_DIR: join(folder, 'files'),
    LOG_LEVEL: 'error',
    TRUST_PROXY: '1',
  };
  const db = openDatabase(openPool(url, { size: 2 }));
  const email = 'coach@test.example';
  await createUser({ db, email, password, fullName: 'Coach', roles: ['coach'], isConfirmed: true });
  const sides = [await startSide(commands.app, env), await startSide(commands.app, env)];
  const nginx = await startNginx(
    folder,
    sides.map(({ port }) => port),
  );
  try {
    const token = await signIn(nginx.port, email);
    const load = startLoad(nginx.port, token);
    for (let n = 0; n < restarts; n += 1) {
      await delay(1_000);
      const seconds = await sides[n % sides.length]!.restart();
      console.log(`  restart ${n + 1}: stopped in ${seconds.toFixed(1)} s`);
    }
    while (load.answers() < requests) await delay(200);
    const { answered, failures } = await load.stop();
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from lesson_templates where title like 'Restart %'`.execute(db);
    for (const failure of failures.slice(0, 10)) console.log(`  FAILED: ${failure}`);
    if (failures.length > 0) console.log((await readFile(join(folder, 'nginx.log'), 'utf8')).slice(0, 2_000));
    console.log(
      `Total: ${answered + failures.length} POSTs, ${failures.length} failed, ${rows[0]!.n} rows written`,
    );
    if (failures.length > 0 || rows[0]!.n !== answered) process.exitCode = 1;
  } finally {
    await nginx.stop();
    await Promise.all(sides.map((side) => side.stop()));
    await stripeSimulator.stop();
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startSide(command: string[], env: Record<string, string>) {
  const port = await findFreePort();
  let child: ChildProcess;
  const start = async () => {
    child = spawn(command[0]!, command.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...env, PORT: String(port) },
    });
    while (!(await isReady(port))) await delay(50);
  };
  const stop = async (): Promise<number> => {
    const began = performance.now();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return (performance.now() - began) / 1000;
  };
  await start();
  return {
    port,
    stop,
    restart: async () => {
      const seconds = await stop();
      await start();
      return seconds;
    },
  };
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts nginx with the configuration from docs/operations.md, without TLS, on a free port in front of the processes on
 * `ports`.
 */
async function startNginx(folder: string, ports: number[]) {
  const port = await findFreePort();
  const processes = ports.map((one) => `127.0.0.1:${one}`);
  const site = plainNginxSite(processes, `127.0.0.1:${port}`);
  await mkdir(join(folder, 'nginx'));
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 512; }
http { access_log off; client_body_temp_path ${folder}/nginx; proxy_temp_path ${folder}/nginx;
fastcgi_temp_path ${folder}/nginx; uwsgi_temp_path ${folder}/nginx; scgi_temp_path ${folder}/nginx;
${site}}`,
  );
  const child = spawn('nginx', ['-c', file, '-e', join(folder, 'nginx.log')], { stdio: 'inherit' });
  while (!(await isReady(port))) await delay(50);
  return {
    port,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function signIn(port: number, email: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function startLoad(port: number, token: string) {
  const failures: string[] = [];
  const agent = new http.Agent({ keepAlive: true });
  let answered = 0;
  let sent = 0;
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      sent += 1;
      const said = await createTemplate(agent, port, token, `Restart ${sent}`).catch(String);
      if (said === '200') answered += 1;
      else failures.push(said);
      await delay(pauseMs);
    }
  };
  const running = Array.from({ length: clients }, run);
  return {
    answers: () => answered + failures.length,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
      return { answered, failures };
    },
  };
}

/** Returns the status, followed by the body if it is not 200. */
async function createTemplate(
  agent: http.Agent,
  port: number,
  token: string,
  title: string,
): Promise<string> {
  const { method, path } = catalogueApi.createTemplate;
  const request = http.request({
    ...{ agent, host: '127.0.0.1', port, method, path },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  request.end(
    JSON.stringify({
      title,
      sport: 'tennis',
      durationMinutes: 60,
      basePriceCents: 5000,
      lessonType: 'individual',
      minCapacity: 1,
      maxCapacity: 1,
    }),
  );
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const chunk of response) body += chunk;
  return response.statusCode === 200
    ? '200'
    : `${response.statusCode} ${body.replace(/\s+/g, ' ').slice(0, 100)}`;
}
