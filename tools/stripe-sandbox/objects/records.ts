import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** The API version that the installed SDK pins; a test compares the two. */
export const apiVersion = '2026-10-28.endive';

/** A deleted customer is kept, because its charges refer to it. */
export type Customer = Omit<Stripe.Customer, 'deleted' | 'lastResponse'> & { deleted?: true };

export type PaymentMethod = Stripe.PaymentMethod & {
  card: Stripe.PaymentMethod.Card;
  customer: string | null;
};

export type SetupIntent = Stripe.SetupIntent & {
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
};

export type PaymentIntent = Stripe.PaymentIntent & {
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  latest_charge: string | null;
};

export type Charge = Stripe.Charge & { customer: string | null; payment_intent: string };

export type Refund = Stripe.Refund & { charge: string; payment_intent: string };

export type Dispute = Stripe.Dispute & { charge: string; payment_intent: string };

/** Card data that the simulator never returns, stored under the id of its payment method. */
export interface VaultCard {
  id: string;
  object: 'vault_card';
  number: string;
  /** A SetupIntent for off-session use succeeded with this card. */
  is_set_up: boolean;
  /** The card was used without a customer, or was detached, so it may never be used again. */
  is_spent: boolean;
}

/**
 * All durable records. No record is changed in place: a new version replaces it, so events can keep the old version.
 */
export type StoredRecord =
  | Customer
  | PaymentMethod
  | VaultCard
  | SetupIntent
  | PaymentIntent
  | Charge
  | Refund
  | Dispute;

export type EventType =
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.updated'
  | 'charge.failed'
  | 'charge.refund.updated'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'customer.created'
  | 'customer.deleted'
  | 'customer.updated'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'payment_method.attached'
  | 'payment_method.detached'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
  | 'setup_intent.canceled'
  | 'setup_intent.created'
  | 'setup_intent.requires_action'
  | 'setup_intent.setup_failed'
  | 'setup_intent.succeeded';

export interface StoredEvent {
  id: string;
  type: EventType;
  /** Unix seconds. */
  created: number;
  object: StoredRecord;
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The event as Stripe shows and delivers it. */
export function renderEvent(event: StoredEvent, isDelivered: boolean) {
  return {
    id: event.id,
    object: 'event',
    api_version: apiVersion,
    created: event.created,
    data: { object: event.object },
    livemode: false,
    pending_webhooks: isDelivered ? 0 : 1,
    request: { id: event.requestId, idempotency_key: event.idempotencyKey },
    type: event.type,
  };
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
let pool = Buffer.alloc(0);
let poolAt = 0;

/** A prefix and 24 random letters and digits, as in `pi_…`. Never seeded: ids must not repeat after a restart. */
export function newId(prefix: string): string {
  if (poolAt + 24 > pool.length) {
    pool = randomBytes(24 * 512);
    poolAt = 0;
  }
  let id = `${prefix}_`;
  for (let i = 0; i < 24; i++) id += alphabet[pool[poolAt++]! % 62];
  return id;
}

/** The current time in Unix seconds, as in every `created` field. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
