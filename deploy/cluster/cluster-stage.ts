import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { createStripeClient } from '#server/payments/stripe-client.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { type Caller, callEndpoint } from '#server/test-support/contract-client.test-support.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';
import { startSmtpServer } from '#tools/smtp-server.ts';
import { countNothing } from '../../chaos/postgres.ts';
import { clientTimeoutMs, type LoadStage, type Target } from '../../chaos/stage.ts';
import { openStripe, runOnPrimary, up, urlOf } from './cluster.ts';
import { addBridge, ownAddress } from './namespaces.ts';
import { appEnvironment } from './programs.ts';

/**
 * A browser repeats a request on a new connection if nginx closed the idle one at that moment, as during a reload. Node
 * does not, so the load opens a connection for each request.
 */
const oneConnection = { connection: 'close' };

/**
 * A request of the load; status 0: no response in 15 s, a lost connection or a response that is not JSON;
 * `problem` says which.
 */
export type Request = {
  startedAt: number;
  /** Undefined while there is no response. */
  endedAt?: number;
  path: string;
  status: number;
  problem?: string;
};

/**
 * Starts a new cluster and returns everything that the load and the checker of fault injection (chaos/) need,
 * with nginx as the target of every request. `env` contains the variables with which later processes must be
 * started.
 */
export async function openClusterStage() {
  addBridge();
  const smtpServer = await startSmtpServer({ host: ownAddress });
  const env = {
    SMTP_URL: smtpServer.url,
    MAIL_OUTBOX: '',
    BOUNCE_ADDRESS: 'bounces@club.example',
    CHANGE_NOTICE_SECONDS: '0',
  };
  const cluster = await up({ env });
  await runOnPrimary(cluster, 'app', (client) => client.query(`${askNothing};${countNothing}`));
  const stripeSimulator = await openStripe(cluster);
  const config = readConfig({ ...appEnvironment(cluster, cluster.hosts.apps[0]!), ...env });
  const db = openDatabase(openPool(config.databaseUrl, { size: 3, acquireTimeoutMs: 10_000 }));
  const requests: Request[] = [];
  const target = { app: { url: urlOf(cluster) } };
  const call = async <E extends Endpoint>(
    { app }: Target,
    who: Caller | null,
    endpoint: E,
    input: InputOf<E>,
  ) => {
    const request: Request = { startedAt: Date.now(), path: endpoint.path, status: 0 };
    requests.push(request);
    try {
      const sending = { signal: AbortSignal.timeout(clientTimeoutMs), headers: oneConnection };
      const { status, body, error } = await callEndpoint(app.url, who, endpoint, input, sending);
      request.status = status;
      return { status, body: error ? undefined : body, error };
    } catch (error) {
      request.problem = String(error);
      return { status: 0, body: undefined, error: undefined };
    } finally {
      request.endedAt = Date.now();
    }
  };
  const stage: LoadStage = {
    ...{ config, db: () => db, cards: createStripeClient(config.stripe), stripeSimulator, smtpServer },
    ...{ sides: [target, target], call },
  };
  return {
    ...{ stage, cluster, requests, env },
    close: async () => {
      await db.destroy();
      await smtpServer.close();
    },
  };
}
