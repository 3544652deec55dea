import type { Query, QueryClient } from '@tanstack/react-query';
import { invalidate } from '../api/api.ts';

/** Operation ids whose data is updated by messages about slots, and not refetched, so that cards never move. */
const keptByMessages = ['discover_slots', 'read_slot_availability'];

/** Refetches the data that the page shows. */
export function createLiveRefetch(client: QueryClient) {
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
     * Call this after a message. Changes that arrive during a refetch are collected for the next one, so that frequent
     * changes never restart a slow refetch.
     */
    afterChange: (operationIds: string[]) => {
      for (const operationId of operationIds) waiting.add(operationId);
      void run();
    },
    /** Call this after an interruption. Also restarts running requests, because they may be hanging. */
    afterBreak: (operationIds: string[]) => void invalidate(client, readsOf(operationIds)).catch(() => {}),
    /** Call this after an interruption. Refetches the data on the screen, except that of these operations. */
    others: (operationIds: string[]) => {
      const isKnown = isOf([...operationIds, ...keptByMessages]);
      void client.invalidateQueries({ predicate: (query) => !isKnown(query) });
    },
    /** Call this after a first join. Also repeats running requests, whose data may be older than the join. */
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

/** Waits for next pages that are being fetched, because a refetch of their lists would cancel them silently. */
async function untilPagesLoaded(client: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const queries = client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  const paging = queries.filter(({ state }) => state.fetchMeta?.fetchMore);
  await Promise.allSettled(paging.map((query) => query.fetch()));
}
