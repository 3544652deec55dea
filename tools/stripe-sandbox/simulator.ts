import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeptAnswer } from './api/idempotency.ts';
import type { Journal } from './journal.ts';
import type { Change, Store } from './store.ts';
import type { Dice, Switches } from './switches.ts';
import type { WebhookSender } from './webhooks.ts';

/** The simulator's state and services, as passed to request handlers. */
export interface Simulator {
  store: Store;
  journal: Journal;
  webhooks: WebhookSender;
  switches: Switches;
  dice: Dice;
}

export interface Incoming {
  method: string;
  path: string;
  query: string;
  body: string;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Writes a change to the journal, then passes its events to the webhooks. */
export async function commit(simulator: Simulator, change: Change, answer: KeptAnswer | null) {
  if (change.records.length === 0 && answer === null) return;
  await simulator.journal.append(change.entry(answer));
  for (const event of change.events) simulator.webhooks.offer(event.id);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}
