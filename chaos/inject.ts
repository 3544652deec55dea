import { setTimeout as delay } from 'node:timers/promises';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { defaultSwitches } from '#tools/stripe-sandbox/switches.ts';
import type { Verdict } from './database-wire.ts';
import { type Fault, type FaultPlan, nameFault } from './fault-plan.ts';
import { type FaultKind, injectAt } from './fault-points.ts';
import { openReplicaFaults } from './replica-faults.ts';
import { beginSmtpFault } from './smtp-faults.ts';
import type { Side, Stage } from './stage.ts';

const soonMs = 300;

export type Faults = ReturnType<typeof openFaults>;

/** Refunds a share of the unrefunded part of a charge, directly in the Stripe simulator, bypassing the server. */
async function refundAtDashboard(
  { cards, stripeSimulator }: Stage,
  { which, share }: { which: number; share: number },
): Promise<void> {
  const open = (await stripeSimulator.ledger())
    .map(({ paymentIntent, amount, refunds }) => ({
      paymentIntent,
      left: refunds.reduce((left, refund) => left - refund.amount, amount),
    }))
    .filter(({ left }) => left > 0);
  const payment = open[which % open.length];
  if (!payment) return;
  const amount = Math.ceil((payment.left * share) / 100);
  // The refund fails if the server refunds at the same moment or the Stripe simulator is failing.
  await cards.refunds.create({ payment_intent: payment.paymentIntent, amount }).catch(() => {});
}

/** Disputes a charge, as a customer can at the bank. */
async function disputeSomething({ stripeSimulator }: Stage, which: number): Promise<void> {
  const open = (await stripeSimulator.ledger()).filter(({ isDisputed }) => !isDisputed);
  const payment = open[which % open.length];
  if (!payment) return;
  await changeInStripe({ stripeSimulator }, 'disputes', { payment_intent: payment.paymentIntent });
}

/** Breaks the connections between pages and a process, and returns a function that restores them. */
export function breakPages(
  { pageWire }: Side,
  how: 'page connections cut' | 'page connections silent',
): () => void {
  if (how === 'page connections silent') {
    pageWire.setSilent(true);
    return () => pageWire.setSilent(false);
  }
  pageWire.setRefusing(true);
  pageWire.cut();
  return () => pageWire.setRefusing(false);
}

/** Returns functions that inject faults into a stage and end them, and how often each fault was injected. */
export function openFaults(stage: Stage, seed: number) {
  const injected = new Map<string, number>();
  const note = (name: string) => injected.set(name, (injected.get(name) ?? 0) + 1);
  const underWay = new Set<Promise<void>>();
  const callOffs: (() => void)[] = [];
  let isPostgresDown = false;
  const failReplica = openReplicaFaults(stage);

  const track = (work: Promise<void>) => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  };
  const killApp = async (side: number, downMs: number) => {
    const { app } = stage.sides[side]!;
    await app.kill();
    void track(delay(downMs).then(app.start));
  };
  const killPostgres = async (downMs: number) => {
    if (isPostgresDown) return;
    isPostgresDown = true;
    await stage.postgres.kill();
    const startAgain = async () => {
      await delay(downMs);
      await stage.postgres.start();
      await stage.reconnect();
      isPostgresDown = false;
    };
    void track(startAgain());
  };
  const cutConnections = async (side: number, blockedMs: number) => {
    const { databaseWire } = stage.sides[side]!;
    databaseWire.block(blockedMs > 0);
    databaseWire.cut();
    await delay(blockedMs);
    databaseWire.block(false);
  };

  /** Executes the immediate part of a fault, before the stopped process can notice; the rest runs in the background. */
  async function inject(
    faultKind: FaultKind,
    side: number,
    where: 'database' | 'Stripe simulator',
    name: string,
  ): Promise<Verdict> {
    note(name);
    if (faultKind === 'kill app') {
      await killApp(side, soonMs);
      return 'lose';
    }
    if (faultKind === 'kill postgres') await killPostgres(soonMs);
    else void track(cutConnections(side, 0));
    return where === 'database' ? 'lose' : 'pass';
  }

  async function happen(fault: Fault): Promise<void> {
    if (fault.kind === 'at a fault point') {
      const { faultPoint, faultKind, side } = fault;
      callOffs.push(
        injectAt(stage.sides[side]!, faultPoint, (where) => inject(faultKind, side, where, nameFault(fault))),
      );
      return;
    }
    note(nameFault(fault));
    switch (fault.kind) {
      case 'kill app':
        return killApp(fault.side, fault.downMs);
      case 'pause app': {
        const { app } = stage.sides[fault.side]!;
        app.pause();
        await delay(fault.ms);
        app.resume();
        return;
      }
      case 'kill postgres':
        return killPostgres(fault.downMs);
      case 'kill a backend':
        return stage.postgres.killBackend(fault.which);
      case 'pause postgres':
        await stage.postgres.pause();
        await delay(fault.ms);
        return stage.postgres.resume();
      case 'cut connections':
        return cutConnections(fault.side, fault.blockedMs);
      case 'Stripe simulator unreachable': {
        const { stripeWire } = stage.sides[fault.side]!;
        stripeWire.setDown(true);
        await delay(fault.ms);
        stripeWire.setDown(false);
        return;
      }
      case 'refund at the dashboard':
        return refundAtDashboard(stage, fault);
      case 'dispute':
        return disputeSomething(stage, fault.which);
      case 'replica':
        return failReplica(fault);
      case 'smtp': {
        const end = beginSmtpFault(stage.smtpServer, fault.name);
        await delay(fault.ms);
        return end();
      }
      case 'page connections cut':
      case 'page connections silent': {
        const end = breakPages(stage.sides[fault.side]!, fault.kind);
        await delay(fault.ms);
        return end();
      }
      case 'Stripe simulator misbehaves':
        return stage.stripeSimulator.control({ ...defaultSwitches(), ...fault.conditions, seed });
    }
  }

  return {
    /** How often each fault was injected; fault points that were not reached don't count. */
    injected,
    happen: (fault: Fault) => track(happen(fault)),
    /** Executes a plan, each fault at its time. */
    run: async (plan: FaultPlan) => {
      const began = Date.now();
      for (const { atMs, fault } of plan) {
        await delay(Math.max(0, began + atMs - Date.now()));
        void track(happen(fault));
      }
    },
    /** Ends all faults and waits until both processes are ready. */
    heal: async () => {
      for (const callOff of callOffs) callOff();
      await stage.postgres.resume();
      while (underWay.size > 0) await Promise.all(underWay);
      await stage.stripeSimulator.control(defaultSwitches());
      for (const { app, stripeWire, databaseWire } of stage.sides) {
        app.resume();
        stripeWire.setDown(false);
        databaseWire.block(false);
        app.start();
      }
      await Promise.all(stage.sides.map(({ app }) => app.untilReady()));
    },
  };
}
