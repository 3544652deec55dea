import { setTimeout as delay } from 'node:timers/promises';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/** Ways in which a replica can fail; each fault lasts until it is ended. */
export const replicaFaults = [
  'replica killed',
  'replica silent',
  'replica connections freeze',
  'replica refuses connections',
  'replica behind',
] as const;
export type ReplicaFaultName = (typeof replicaFaults)[number];

/** A replica fault and its duration in milliseconds. */
export type ReplicaFault = { kind: 'replica'; name: ReplicaFaultName; ms: number };

/** Picks a replica fault and its duration at random. */
export function pickReplicaFault(chance: Chance): ReplicaFault {
  const name = chance.pick(replicaFaults);
  // The server reads from a replica until it is 5 s behind, so some of these durations are shorter and one is longer.
  const ms = chance.pick(name === 'replica behind' ? [1_000, 3_000, 7_000] : [0, 300, 1_000, 4_000]);
  return { kind: 'replica', name, ms };
}

/**
 * Starts a fault of the replica, for both processes. Returns a function that ends the fault and waits until the replica
 * runs again.
 */
export async function beginReplicaFault(
  { postgres: { replica }, sides }: Stage,
  name: ReplicaFaultName,
): Promise<() => Promise<void>> {
  const wires = sides.map(({ replicaWire }) => replicaWire);
  switch (name) {
    case 'replica killed':
      await replica.kill();
      return replica.start;
    case 'replica silent':
      await replica.pause();
      return replica.resume;
    case 'replica connections freeze':
      for (const wire of wires) wire.setSilent(true);
      return async () => {
        for (const wire of wires) wire.setSilent(false);
      };
    case 'replica refuses connections':
      for (const wire of wires) {
        wire.setRefusing(true);
        wire.cut();
      }
      return async () => {
        for (const wire of wires) wire.setRefusing(false);
      };
    case 'replica behind':
      replica.replication.setSilent(true);
      return async () => replica.replication.setSilent(false);
  }
}

/** Returns a function that injects a fault of the replica, once the previous fault has ended. */
export function openReplicaFaults(stage: Stage) {
  let last: Promise<void> = Promise.resolve();
  return async ({ name, ms }: ReplicaFault): Promise<void> => {
    const before = last;
    const happen = async () => {
      await before;
      const end = await beginReplicaFault(stage, name);
      await delay(ms);
      await end();
    };
    last = happen();
    return last;
  };
}
