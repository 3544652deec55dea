import type { Switches } from '#tools/stripe-sandbox/switches.ts';
import { type FaultKind, type FaultPointName, faultKinds, faultPointNames } from './fault-points.ts';
import type { Chance } from './random.ts';
import { pickReplicaFault, type ReplicaFault } from './replica-faults.ts';
import { pickSmtpFault, type SmtpFault } from './smtp-faults.ts';

type NetworkConditions = Partial<Omit<Switches, 'seed'>>;

/**
 * One fault. Times are in milliseconds. `side` is the index of a process, `which` selects one of the charges or
 * backends that exist at that moment, and `share` is a percentage of the unrefunded part of a charge.
 */
export type Fault =
  | { kind: 'kill app'; side: number; downMs: number }
  | { kind: 'pause app'; side: number; ms: number }
  | { kind: 'kill postgres'; downMs: number }
  | { kind: 'kill a backend'; which: number }
  | { kind: 'pause postgres'; ms: number }
  | { kind: 'cut connections'; side: number; blockedMs: number }
  | { kind: 'Stripe simulator unreachable'; side: number; ms: number }
  | { kind: 'page connections cut'; side: number; ms: number }
  | { kind: 'page connections silent'; side: number; ms: number }
  | { kind: 'refund at the dashboard'; which: number; share: number }
  | { kind: 'dispute'; which: number }
  | { kind: 'Stripe simulator misbehaves'; conditions: NetworkConditions; ms: number }
  | { kind: 'at a fault point'; faultPoint: FaultPointName; faultKind: FaultKind; side: number }
  | ReplicaFault
  | SmtpFault;

/** Faults and their times, in milliseconds from the start of the load. */
export type FaultPlan = { atMs: number; fault: Fault }[];

/**
 * Generates a plan: adverse conditions at the Stripe simulator throughout, `accidents` faults, and a quarter as many
 * faults of the replica.
 */
export function planFaults(chance: Chance, loadMs: number, accidents: number): FaultPlan {
  const plan: FaultPlan = [];
  const conditionsMs = Math.ceil(loadMs / 3);
  for (let atMs = 0; atMs < loadMs; atMs += conditionsMs) {
    plan.push({
      atMs,
      fault: { kind: 'Stripe simulator misbehaves', conditions: pickConditions(chance), ms: conditionsMs },
    });
  }
  for (let number = 0; number < accidents; number++) {
    // Bookings must exist first, and reaching a fault point takes a while, so none of these faults starts in the
    // first or last 15% of the load.
    plan.push({
      atMs: chance.between(Math.floor(loadMs * 0.15), Math.floor(loadMs * 0.85)),
      fault: pickFault(chance),
    });
  }
  for (let number = 0; number < accidents / 4; number++) {
    plan.push({ atMs: chance.between(0, Math.floor(loadMs * 0.7)), fault: pickReplicaFault(chance) });
  }
  return plan.sort((a, b) => a.atMs - b.atMs);
}

function pickFault(chance: Chance): Fault {
  const side = chance.between(0, 1);
  switch (chance.between(1, 20)) {
    case 1:
    case 2:
      return { kind: 'kill app', side, downMs: chance.between(50, 1_000) };
    case 3:
      return { kind: 'pause app', side, ms: chance.between(200, 2_500) };
    case 4:
      return { kind: 'kill postgres', downMs: chance.between(50, 600) };
    case 5:
      return { kind: 'kill a backend', which: chance.between(0, 30) };
    case 6:
      // The last value is longer than the server's query timeout.
      return { kind: 'pause postgres', ms: chance.pick([300, 1_000, 2_500, 6_500]) };
    case 7:
    case 8:
      return { kind: 'cut connections', side, blockedMs: chance.pick([0, 0, 300, 1_000]) };
    case 9:
      return { kind: 'Stripe simulator unreachable', side, ms: chance.between(200, 1_500) };
    case 10:
      return pickSmtpFault(chance);
    case 11:
    case 12:
      return {
        kind: 'refund at the dashboard',
        which: chance.between(0, 1_000),
        share: chance.pick([100, chance.between(1, 99)]),
      };
    case 13:
      return { kind: 'dispute', which: chance.between(0, 1_000) };
    case 14:
      return { kind: 'page connections cut', side, ms: chance.pick([0, 1_000, 5_000]) };
    case 15:
      return { kind: 'page connections silent', side, ms: chance.pick([1_000, 5_000]) };
    default:
      return {
        kind: 'at a fault point',
        faultPoint: chance.pick(faultPointNames),
        faultKind: chance.pick(faultKinds),
        side,
      };
  }
}

function pickConditions(chance: Chance): NetworkConditions {
  return {
    latencyMs: chance.pick([0, 0, 20, 150]),
    jitterMs: chance.pick([0, 50, 300]),
    errorRate: chance.pick([0, 0, 0.2]),
    errorAfterChargeRate: chance.pick([0, 0, 0.2]),
    dropAfterChargeRate: chance.pick([0, 0.2, 0.4]),
    rateLimitRate: chance.pick([0, 0, 0.1]),
    webhookDuplicates: chance.pick([0, 1, 3]),
    webhookDelayMs: chance.pick([0, 0, 1_000]),
    webhookShuffle: chance.hits(0.5),
    webhookDropRate: chance.pick([0, 0.3, 1]),
    webhooksOff: chance.hits(0.2),
  };
}

/** A fault's label in the output. */
export function nameFault(fault: Fault): string {
  if (fault.kind === 'replica' || fault.kind === 'smtp') return fault.name;
  return fault.kind === 'at a fault point' ? `${fault.faultKind} ${fault.faultPoint}` : fault.kind;
}
