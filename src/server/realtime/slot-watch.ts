import { setImmediate as nextIteration } from 'node:timers/promises';
import type { SlotAvailability } from '#domain/catalogue/slots-contract.ts';
import type { Connection } from './connection.ts';
import { encodeBroadcast } from './frames.ts';
import { slotsTopic } from './topics.ts';

/** The maximum number of slots that one query reads. */
const batchSize = 500;
/** The number of connections that get a message before the event loop handles other work. */
const sentAtOnce = 500;

type Watched = {
  slotId: string;
  connections: Set<Connection>;
  /** The availability last read, also kept as `json`; null before the first read, undefined for an unknown slot. */
  state: SlotAvailability | null | undefined;
  json: string;
  sentAt: number;
};

export type SlotWatch = ReturnType<typeof createSlotWatch>;

/**
 * Sends the availability of slots to the connections that watch them. Reads happen one after the other, so an old state
 * is never sent after a newer one. A changed slot is read and encoded once for all its watchers, at most every
 * `everyMs`. A connection that keeps up gets all changes of a read in one message. Connections that watch the same
 * changed slots share an encoded message.
 */
export function createSlotWatch({
  readMany,
  everyMs,
}: {
  readMany: (slotIds: string[]) => Promise<SlotAvailability[]>;
  everyMs: number;
}) {
  const slots = new Map<string, Watched>();
  const changed = new Set<string>();
  const newcomers = new Map<Connection, string[]>();
  let isReading = false;

  function drop(connection: Connection): void {
    for (const slotId of connection.watched ?? []) {
      const slot = slots.get(slotId);
      slot?.connections.delete(connection);
      if (slot?.connections.size !== 0) continue;
      slots.delete(slotId);
      changed.delete(slotId);
    }
    connection.watched = null;
    newcomers.delete(connection);
  }

  async function readAll(slotIds: string[]): Promise<void> {
    for (let from = 0; from < slotIds.length; from += batchSize) {
      const batch = slotIds.slice(from, from + batchSize);
      const read = batch.map((slotId) => slots.get(slotId));
      const found = new Map((await readMany(batch)).map((state) => [state.slotId, state]));
      for (const slot of read) {
        // A slot that was dropped and watched again during the read may have changed in the meantime, so it is read
        // again.
        if (!slot || slots.get(slot.slotId) !== slot) continue;
        const { slotId } = slot;
        // People who look at a deleted lesson see it as cancelled.
        const gone = slot.state && { ...slot.state, status: 'cancelled' as const, bookedCount: 0 };
        slot.state = found.get(slotId) ?? gone ?? undefined;
        slot.json = slot.state ? JSON.stringify(slot.state) : '';
      }
    }
  }

  function greet(connection: Connection, slotIds: string[]): void {
    const known = slotIds.map((slotId) => slots.get(slotId)?.json).filter(Boolean);
    const message = encodeBroadcast(slotsTopic, 'slots', `{"slots":[${known.join()}]}`);
    connection.send(message, 'greeting');
  }

  /** Sends these slots to the connections that watch any of them. */
  async function notifyWatchers(slotIds: string[], now: number): Promise<void> {
    const due = slotIds.map((slotId) => slots.get(slotId)).filter((slot) => slot?.json) as Watched[];
    const readers = new Set<Connection>();
    for (const slot of due) {
      slot.sentAt = now;
      for (const connection of slot.connections) readers.add(connection);
    }
    const messages = new Map<string, Buffer>();
    const encode = (some: Watched[], key: string): Buffer => {
      const message =
        messages.get(key) ??
        encodeBroadcast(slotsTopic, 'slots', `{"slots":[${some.map(({ json }) => json).join()}]}`);
      messages.set(key, message);
      return message;
    };
    let sent = 0;
    for (const connection of readers) {
      const own = due.filter(({ slotId }) => connection.watched?.has(slotId));
      // For a slow reader, a later message about a slot replaces this one.
      const parts = connection.isBehind ? own.map((slot) => [slot]) : [own];
      for (const part of parts) {
        const key = part.map(({ slotId }) => slotId).join();
        if (key) connection.send(encode(part, key), key);
      }
      sent += 1;
      // Requests must not wait until thousands of connections are served.
      if (sent % sentAtOnce === 0) await nextIteration();
    }
  }

  /** Sends changed slots to their watchers, and all watched slots to connections that have just sent `watch`. */
  async function pump(): Promise<void> {
    if (isReading) return;
    const now = performance.now();
    const due = [...changed].filter((slotId) => now - slots.get(slotId)!.sentAt >= everyMs);
    if (due.length === 0 && newcomers.size === 0) return;
    isReading = true;
    const greeted = [...newcomers];
    newcomers.clear();
    for (const slotId of due) changed.delete(slotId);
    const unread = greeted.flatMap(([, slotIds]) => slotIds.filter((id) => slots.get(id)?.state === null));
    try {
      await readAll([...new Set([...due, ...unread])]);
      for (const [connection, slotIds] of greeted) if (connection.watched) greet(connection, slotIds);
      await notifyWatchers(due, now);
    } catch {
      // The database does not respond: the pump after the next successful read of changes tries again.
      for (const [connection, slotIds] of greeted) {
        if (connection.watched && !newcomers.has(connection)) newcomers.set(connection, slotIds);
      }
      for (const slotId of due) if (slots.has(slotId)) changed.add(slotId);
      return;
    } finally {
      isReading = false;
    }
    if (newcomers.size > 0) setImmediate(() => void pump());
  }

  return {
    /** Replaces the slots that a connection watches, and sends the connection their state. */
    watch: (connection: Connection, slotIds: string[]) => {
      const next = new Set(slotIds);
      const known = connection.watched;
      for (const slotId of next) {
        let slot = slots.get(slotId);
        if (!slot) {
          slot = { slotId, connections: new Set(), state: null, json: '', sentAt: 0 };
          slots.set(slotId, slot);
        }
        slot.connections.add(connection);
      }
      for (const slotId of known ?? []) {
        if (next.has(slotId)) continue;
        const slot = slots.get(slotId);
        slot?.connections.delete(connection);
        if (slot?.connections.size === 0) {
          slots.delete(slotId);
          changed.delete(slotId);
        }
      }
      connection.watched = next;
      newcomers.set(connection, [...next]);
      setImmediate(() => void pump());
    },
    drop,
    note: (slotId: string) => {
      if (slots.has(slotId)) changed.add(slotId);
    },
    /** Marks every watched slot as changed, because changes may have been missed. */
    noteAll: () => {
      for (const slotId of slots.keys()) changed.add(slotId);
    },
    pump,
  };
}
