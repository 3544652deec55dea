import type { Query, QueryClient } from '@tanstack/react-query';
import { invalidate } from '../api/api.ts';

/** Reads that messages about slots keep up to date, so that cards never move. */
const keptByMessages = ['discover_slots', 'read_slot_availability'];

/** Reads again what the page shows. */
export function createReread(client: QueryClient) {
  const waiting = new Set<string>();
  let isRunning = false;
  const isOf = (operationIds: string[]) => (query: Query) => operationIds.includes(String(query.queryKey[0]));
  const readsOf = (operationIds: string[]) => operationIds.map((operationId) => ({ operationId }));

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (waiting.size > 0) {
      const operationIds = [...waiting];
      waiting.clear();
      await untilPagesLoaded(client, isOf(operationIds));
      await invalidate(client, readsOf(operationIds)).catch(() => {});
    }
    isRunning = false;
  }

  return {
    /**
     * After a message. While these reads run, further ones are collected, so that frequent changes never restart a slow
     * one.
     */
    afterChange: (operationIds: string[]) => {
      for (const operationId of operationIds) waiting.add(operationId);
      void run();
    },
    /** After a break: at once, whatever is under way, because a request of before may hang for long. */
    afterBreak: (operationIds: string[]) => void invalidate(client, readsOf(operationIds)).catch(() => {}),
    /** After a break: everything else on the screen. */
    others: (operationIds: string[]) => {
      const isKnown = isOf([...operationIds, ...keptByMessages]);
      void client.invalidateQueries({ predicate: (query) => !isKnown(query) });
    },
    /** After a topic was joined for the first time: also what is being read, because it may be older than the join. */
    afterJoin: (operationIds: string[]) => {
      const queries = client.getQueryCache().findAll({ predicate: isOf(operationIds) });
      const running = queries.filter(({ state }) => state.fetchStatus === 'fetching');
      void client.invalidateQueries({
        predicate: (query) => isOf(operationIds)(query) && !running.includes(query),
      });
      void Promise.allSettled(running.map((query) => query.fetch())).then(() =>
        client.invalidateQueries({ predicate: (query) => running.includes(query) }),
      );
    },
  };
}

/** Waits for next pages that people have asked for: reading their lists again would cancel them without a word. */
async function untilPagesLoaded(client: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const queries = client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  const paging = queries.filter(({ state }) => state.fetchMeta?.fetchMore);
  await Promise.allSettled(paging.map((query) => query.fetch()));
}
