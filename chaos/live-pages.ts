import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { listCalls } from '#domain/changes.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openConnection } from '#web/app/live/connection.ts';
import { keepConnected } from '#web/app/live/keep-connected.ts';
import type { Client } from './client.ts';
import type { Club } from './club.ts';
import { clientTimeoutMs, type Side, type Stage } from './stage.ts';

const retryMs = 1_000;
const probeTimeoutMs = 2_000;
const dayMs = 86_400_000;

/**
 * A call whose response a page shows. `read` returns the response of a process as text, or null unless the status is
 * 200.
 */
type Read = { operationId: string; read: (url: string, signal?: AbortSignal) => Promise<string | null> };

/**
 * An open page. `shown` contains the text that the page shows for each call in `reads`; null before the first
 * response.
 */
type Page = { name: string; side: Side; reads: Read[]; shown: (string | null)[] };

/** Pages with live updates, on both processes. */
export type LivePages = { pages: Page[]; close: () => void };

function readOf<E extends Endpoint>(who: Someone | null, endpoint: E, input: InputOf<E>): Read {
  return {
    operationId: endpoint.operationId,
    read: (url, signal = AbortSignal.timeout(clientTimeoutMs)) =>
      callEndpoint(url, who, endpoint, input, { signal }).then(
        ({ status, body }) => (status === 200 ? JSON.stringify(body) : null),
        () => null,
      ),
  };
}

/**
 * Opens pages of visitors who look at lessons, of coaches and of customers, with the browser's own code for live
 * updates. As in a browser, a page refetches the data that a message concerns, and all data after it joins a topic.
 */
export function openLivePages({ stage, club, history }: Omit<Client, 'chance'>): LivePages {
  const opened = [
    ...stage.sides.map((side, number) => openVisitor(side, club, `visitor ${number}`)),
    ...[...new Set(club.slots.map(({ coach }) => coach))].map((coach, number) =>
      openPerson(stage.sides[number % 2]!, coach, `coach ${number}`, 'coach', readsOfCoach(coach, club)),
    ),
    ...club.customers
      .slice(0, 4)
      .map((customer, number) =>
        openPerson(stage.sides[number % 2]!, customer, `customer ${number}`, null, readsOfCustomer(customer)),
      ),
  ];
  function openPerson(side: Side, who: Someone, name: string, role: 'coach' | null, reads: Read[]) {
    const page: Page = { name, side, reads, shown: reads.map(() => null) };
    const topics = [`user:${who.userId}`, ...(role ? [`${role}:${who.userId}`] : [])];
    const running = reads.map(() => new AbortController());
    const readAgain = (operationIds: string[]) => {
      for (const [index, { operationId }] of reads.entries()) {
        if (!operationIds.includes(operationId)) continue;
        running[index]!.abort();
        const own = new AbortController();
        running[index] = own;
        void readUntilShown(page, index, own.signal);
      }
    };
    const onEnded = (topic: string) =>
      void history.broken.push(`The topic ${topic} of the page "${name}" was ended`);
    const kept = connectPage(side, { topics, who, readAgain, onEnded });
    const close = () => {
      kept.close();
      for (const controller of running) controller.abort();
    };
    return { page, close };
  }
  return {
    pages: opened.map(({ page }) => page),
    close: () => {
      for (const { close } of opened) close();
    },
  };
}

async function readUntilShown(
  { side, reads, shown }: Page,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(clientTimeoutMs)]);
    const seen = await reads[index]!.read(pageUrl(side), timeout);
    if (signal.aborted) return;
    if (seen !== null) {
      shown[index] = seen;
      return;
    }
    await delay(retryMs, undefined, { signal }).catch(() => {});
  }
}

const pageUrl = ({ pageWire }: Side) => `http://127.0.0.1:${pageWire.port}`;

/** Opens the page of a visitor who looks at all lessons. It shows the state that the server sends for each lesson. */
function openVisitor(side: Side, { slots }: Club, name: string) {
  const states = new Map<string, string>();
  const slotIds = slots.map(({ slotId }) => slotId);
  const page: Page = {
    name,
    side,
    reads: [{ operationId: slotsApi.readAvailability.operationId, read: readAll }],
    shown: [null],
  };
  const describe = (known: Map<string, string>) => slotIds.map((id) => known.get(id)).join('\n');
  const stateOf = (slot: Record<string, unknown>) =>
    ['status', 'bookedCount', 'maxCapacity', 'priceCents'].map((field) => slot[field]).join();
  async function readAll(url: string): Promise<string | null> {
    const input = { slotIds: slotIds.join() };
    const signal = AbortSignal.timeout(clientTimeoutMs);
    const answer = await callEndpoint(url, null, slotsApi.readAvailability, input, { signal }).catch(
      () => null,
    );
    if (answer?.status !== 200) return null;
    return describe(new Map(answer.body.slots.map((slot) => [slot.slotId, stateOf(slot)])));
  }
  const onSlots = (changed: { slotId: string }[]) => {
    for (const slot of changed) states.set(slot.slotId, stateOf(slot));
    page.shown[0] = describe(states);
  };
  const kept = connectPage(side, { slotIds, onSlots });
  return { page, close: kept.close };
}

/** The topics and slots that a page follows, and the functions that keep the page up to date. */
type PageConnection = {
  topics: string[];
  who: Someone | null;
  slotIds: string[];
  onSlots: (slots: { slotId: string }[]) => void;
  readAgain: (operationIds: string[]) => void;
  onEnded: (topic: string) => void;
};

function connectPage(side: Side, connection: Partial<PageConnection>) {
  const url = pageUrl(side);
  const {
    topics = [],
    who,
    slotIds = [],
    onSlots = () => {},
    readAgain = () => {},
    onEnded = () => {},
  } = connection;
  const settings = {
    url,
    topics,
    readToken: async () => who?.token ?? null,
    isHidden: () => false,
    slots: { list: () => slotIds, round: () => 0, report: onSlots, setLive: () => {} },
    transport: WebSocket as never,
  };
  return keepConnected({
    open: async (events) => openConnection(settings, events),
    probe: () =>
      fetch(`${url}/livez`, { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    onPaused: () => {},
    onChange: (topic, kind) => readAgain(listCalls(topic, kind)),
    onJoined: (topic) => readAgain(listCalls(topic)),
    onEnded,
  });
}

function readsOfCoach(coach: Someone, { slots }: Club): Read[] {
  const dateIn = (days: number) => wallTimeOf(Date.now() + days * dayMs).date;
  const range = { from: dateIn(-20), to: dateIn(20) };
  const own = slots.filter((slot) => slot.coach === coach).slice(0, 3);
  return [
    readOf(coach, slotsApi.listCoachSlots, range),
    ...own.map(({ slotId }) => readOf(coach, lessonsApi.listAttendees, { slotId })),
    readOf(coach, earningsApi.getEarnings, {}),
    readOf(coach, notificationsApi.countNotifications, {}),
  ];
}

const readsOfCustomer = (customer: Someone): Read[] => [
  readOf(customer, bookingsApi.listMine, { limit: 50 }),
  readOf(customer, bookingsApi.listHeldSlots, {}),
  readOf(customer, bookingsApi.getMyStats, {}),
  readOf(customer, notificationsApi.countNotifications, {}),
];

/**
 * Compares each response that a page shows with the current response of the other process, until all of them agree.
 * Returns a sentence for each that is still stale after `withinMs`.
 */
export async function findStale(stage: Stage, { pages }: LivePages, withinMs: number): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  let open = pages.flatMap((page) =>
    page.reads.map((_, index) => ({ page, index, fresh: null as string | null })),
  );
  while (open.length > 0) {
    const isLast = Date.now() > deadline;
    await Promise.all(
      open.map(async (check) => {
        const { side, reads } = check.page;
        const other = stage.sides.find((one) => one !== side)!;
        check.fresh = await reads[check.index]!.read(other.app.url);
      }),
    );
    open = open.filter(({ page, index, fresh }) => fresh === null || page.shown[index] !== fresh);
    if (isLast) break;
    if (open.length > 0) await delay(200);
  }
  return open.map(({ page: { name, reads, shown }, index, fresh }) => {
    const [now, then] = differenceOf(fresh ?? 'nothing', shown[index] ?? 'nothing');
    return `The page "${name}" shows ${reads[index]!.operationId} as "${then}" instead of "${now}" ${withinMs} ms later`;
  });
}

/** Short excerpts of two texts, starting where the texts differ. */
function differenceOf(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 40);
  return [one.slice(from, at + 60), other.slice(from, at + 60)];
}
