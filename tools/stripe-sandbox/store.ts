import { idempotencyLifetimeMs, type KeptAnswer } from './api/idempotency.ts';
import {
  type Charge,
  type Customer,
  type Dispute,
  type EventType,
  newId,
  nowSeconds,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type SetupIntent,
  type StoredEvent,
  type StoredRecord,
  type VaultCard,
} from './objects/records.ts';

/** Records of one kind by id, in the order in which they were created, and optionally grouped under an owner's id. */
class Collection<T extends { id: string }> {
  readonly #records = new Map<string, T>();
  readonly #ids: string[] = [];
  readonly #owned = new Map<string, string[]>();
  readonly #ownerOf: (record: T) => string | null;

  constructor(ownerOf: (record: T) => string | null = () => null) {
    this.#ownerOf = ownerOf;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  put(record: T) {
    const before = this.#records.get(record.id);
    if (before === undefined) this.#ids.push(record.id);
    const owner = this.#ownerOf(record);
    if (owner !== null && (before === undefined || this.#ownerOf(before) !== owner)) {
      const ids = this.#owned.get(owner);
      if (ids) ids.push(record.id);
      else this.#owned.set(owner, [record.id]);
    }
    this.#records.set(record.id, record);
  }

  /** Oldest first. */
  ids(): readonly string[] {
    return this.#ids;
  }

  /** Oldest first; only records that still belong to the owner. */
  idsOf(owner: string): readonly string[] {
    const ids = this.#owned.get(owner) ?? [];
    return ids.filter((id) => this.#ownerOf(this.#records.get(id)!) === owner);
  }

  ofOwner(owner: string): T[] {
    return this.idsOf(owner).map((id) => this.#records.get(id)!);
  }
}

/**
 * One line of the journal: all changes of a request, with the response stored under its idempotency key; or a delivered
 * event.
 */
export interface JournalEntry {
  records?: StoredRecord[];
  /** `object` is the index in `records` of the event's object. */
  events?: (Omit<StoredEvent, 'object'> & { object: number })[];
  /** `record` is the index in `records` of the response's body, if it is one of them. */
  answer?: Omit<KeptAnswer, 'body'> & { record?: number; body?: unknown };
  /** The id of an event that needs no further delivery. */
  delivered?: string;
}

/** The simulator's durable state, kept in memory and rebuilt from the journal at startup. */
export class Store {
  readonly customers: Collection<Customer> = new Collection();
  readonly paymentMethods: Collection<PaymentMethod> = new Collection((method) => method.customer);
  readonly vault = new Map<string, VaultCard>();
  readonly setupIntents: Collection<SetupIntent> = new Collection((intent) => intent.customer);
  readonly paymentIntents: Collection<PaymentIntent> = new Collection((intent) => intent.customer);
  readonly charges: Collection<Charge> = new Collection((charge) => charge.payment_intent);
  readonly refunds: Collection<Refund> = new Collection((refund) => refund.charge);
  readonly disputes: Collection<Dispute> = new Collection((dispute) => dispute.charge);
  readonly events: Collection<StoredEvent> = new Collection();
  readonly undelivered = new Set<string>();
  readonly answers = new Map<string, KeptAnswer>();

  put(record: StoredRecord) {
    switch (record.object) {
      case 'customer':
        return this.customers.put(record);
      case 'payment_method':
        return this.paymentMethods.put(record);
      case 'vault_card':
        return this.vault.set(record.id, record);
      case 'setup_intent':
        return this.setupIntents.put(record);
      case 'payment_intent':
        return this.paymentIntents.put(record);
      case 'charge':
        return this.charges.put(record);
      case 'refund':
        return this.refunds.put(record);
      case 'dispute':
        return this.disputes.put(record);
    }
  }

  /** The record to which Stripe would expand an id. */
  find(id: string): StoredRecord | undefined {
    const prefix = id.slice(0, id.indexOf('_'));
    const collection = {
      cus: this.customers,
      pm: this.paymentMethods,
      seti: this.setupIntents,
      pi: this.paymentIntents,
      ch: this.charges,
      re: this.refunds,
      du: this.disputes,
    }[prefix];
    return collection?.get(id);
  }

  /** Applies one line of the journal at startup. */
  replay(entry: JournalEntry) {
    const records = entry.records ?? [];
    for (const record of records) this.put(record);
    for (const event of entry.events ?? []) this.addEvent({ ...event, object: records[event.object]! });
    if (entry.delivered !== undefined) this.undelivered.delete(entry.delivered);
    if (entry.answer && entry.answer.at > Date.now() - idempotencyLifetimeMs) {
      const { record, body, ...answer } = entry.answer;
      this.answers.set(answer.key, { ...answer, body: record === undefined ? body : records[record] });
    }
  }

  addEvent(event: StoredEvent) {
    this.events.put(event);
    this.undelivered.add(event.id);
  }
}

/**
 * The changes of one request. They take effect in the store immediately; `commit` writes them to the journal as one
 * line.
 */
export class Change {
  readonly store: Store;
  readonly records: StoredRecord[] = [];
  readonly events: StoredEvent[] = [];
  readonly #requestId: string | null;
  readonly #idempotencyKey: string | null;

  constructor(store: Store, requestId: string | null, idempotencyKey: string | null) {
    this.store = store;
    this.#requestId = requestId;
    this.#idempotencyKey = idempotencyKey;
  }

  put<T extends StoredRecord>(record: T): T {
    this.store.put(record);
    this.records.push(record);
    return record;
  }

  /** `object` must be a version that this change stored with `put`. */
  emit(type: EventType, object: StoredRecord) {
    const event: StoredEvent = {
      id: newId('evt'),
      type,
      created: nowSeconds(),
      object,
      requestId: this.#requestId,
      idempotencyKey: this.#idempotencyKey,
    };
    this.store.addEvent(event);
    this.events.push(event);
  }

  /** The journal line, with the response to store if the request had an idempotency key. */
  entry(answer: KeptAnswer | null): JournalEntry {
    const entry: JournalEntry = {};
    if (this.records.length > 0) entry.records = this.records;
    if (this.events.length > 0) {
      entry.events = this.events.map((event) => ({
        ...event,
        object: this.records.lastIndexOf(event.object),
      }));
    }
    if (answer) {
      const { body, ...kept } = answer;
      const record = this.records.lastIndexOf(body as StoredRecord);
      entry.answer = record >= 0 ? { ...kept, record } : { ...kept, body };
    }
    return entry;
  }
}
