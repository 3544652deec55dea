import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import type { Answer, Someone } from '#server/test-support/contract-client.test-support.ts';
import type { Club } from './club.ts';
import type { History } from './history.ts';
import type { Chance } from './random.ts';
import type { LoadStage, Stage, Target } from './stage.ts';

/** One client of the load. `chance` decides its next operation, and which process gets the request. */
export type Client = Omit<LoadClient, 'stage'> & { stage: Stage };

/** A client for the operations of the load, which use only part of a stage. */
export type LoadClient = { stage: LoadStage; club: Club; history: History; chance: Chance };

/** Picks one of the two processes at random. */
export const anySide = ({ stage, chance }: LoadClient): Target => chance.pick(stage.sides);

/** Calls an endpoint as a person, or as a visitor if `who` is null, and records the response. */
export async function ask<E extends Endpoint>(
  client: LoadClient,
  who: Someone | null,
  endpoint: E,
  input: InputOf<E>,
  side = anySide(client),
): Promise<Answer<OutputOf<E> | undefined>> {
  const answer = await client.stage.call(side, who, endpoint, input);
  const { answers, broken } = client.history;
  const kind =
    answer.status === 0
      ? 'no response'
      : `${answer.status}${answer.error?.code ? ` ${answer.error.code}` : ''}`;
  answers.set(kind, (answers.get(kind) ?? 0) + 1);
  // Otherwise clients would retry in a tight loop while a process is down.
  if (answer.status === 0 || answer.status === 503) await delay(client.chance.between(100, 400));
  if (answer.status === 500) broken.push(`${endpoint.path} returned 500: ${answer.error?.message}`);
  return answer;
}
