import type { Call } from '../api/call.ts';
import type { Params } from '../api/params.ts';
import { invalidRequest, missingResource, StripeError } from '../api/stripe-error.ts';
import type { PaymentIntent, SetupIntent } from './records.ts';

type Intent = PaymentIntent | SetupIntent;
type MethodTypes = Pick<
  PaymentIntent,
  'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types'
>;

/** Reads the payment method types; only cards work. As in Stripe, automatic types allow redirects by default. */
export function readMethodTypes(params: Params): MethodTypes {
  const allowed = params.list('allowed_payment_method_types');
  const automatic = params.nested('automatic_payment_methods')?.allow(['allow_redirects', 'enabled']);
  if (automatic && !automatic.flag('enabled')) {
    throw invalidRequest(
      'The Stripe simulator supports intents without automatic payment methods only if they name their types.',
      undefined,
      'automatic_payment_methods[enabled]',
    );
  }
  if (allowed.length > 0) {
    if (automatic) {
      throw invalidRequest(
        'You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.',
        'parameters_exclusive',
        'allowed_payment_method_types',
      );
    }
    if (!allowed.includes('card')) {
      throw invalidRequest(
        'The Stripe simulator only accepts cards.',
        undefined,
        'allowed_payment_method_types',
      );
    }
    return {
      allowed_payment_method_types: allowed,
      payment_method_types: ['card'],
      automatic_payment_methods: null,
    };
  }
  return {
    allowed_payment_method_types: null,
    payment_method_types: ['card'],
    automatic_payment_methods: {
      allow_redirects: automatic?.choice('allow_redirects', ['always', 'never']) ?? 'always',
      enabled: true,
    },
  };
}

/** Refuses a parameter that the API has not accepted since 2026-09-30; the property has been read-only since then. */
export function refuseWrittenMethodTypes(params: Params) {
  if (!params.has('payment_method_types')) return;
  throw invalidRequest(
    'The `payment_method_types` parameter is no longer supported. Use `allowed_payment_method_types` or dynamic payment methods instead.',
    'payment_method_types_no_longer_supported',
    'payment_method_types',
  );
}

/** Requires `return_url` or `use_stripe_sdk`, as Stripe does, if a server confirms an intent that allows redirects. */
export function requireReturnUrl(
  call: Call,
  types: { automatic_payment_methods: { allow_redirects?: string } | null },
) {
  const isReturnKnown = call.params.text('return_url') !== null;
  const usesSdk = call.params.flag('use_stripe_sdk');
  if (call.isPublishable || types.automatic_payment_methods?.allow_redirects !== 'always') return;
  if (isReturnKnown || usesSdk) return;
  throw invalidRequest(
    "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
  );
}

/** The intent named in the path. With the publishable key, the caller must know its client secret. */
export function findIntent<T extends Intent>(
  call: Call,
  intents: { get(id: string): T | undefined },
  kind: T['object'],
): T {
  const intent = intents.get(call.id);
  if (!intent) throw missingResource(kind, call.id, 'intent');
  const secret = call.params.text('client_secret');
  if (call.isPublishable && secret === null) call.params.requiredText('client_secret');
  if (secret !== null && secret !== intent.client_secret) {
    throw invalidRequest(
      `The client_secret provided does not match the client_secret associated with this ${titleOf(kind)}.`,
      `${kind}_invalid_parameter`,
      'client_secret',
    );
  }
  return intent;
}

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const cancellable = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
];

export function refuseUnexpectedState(intent: Intent, action: 'confirm' | 'cancel') {
  const allowed = action === 'confirm' ? confirmable : cancellable;
  if (allowed.includes(intent.status)) return;
  const name = titleOf(intent.object);
  const message =
    action === 'confirm' && intent.status === 'succeeded'
      ? `You cannot confirm this ${name} because it has already succeeded after being previously confirmed.`
      : `You cannot ${action} this ${name} because it has a status of ${intent.status}. Only a ${name} with one of the following statuses may be ${action === 'confirm' ? 'confirmed' : 'canceled'}: ${allowed.join(', ')}.`;
  throw unexpectedState(intent, message);
}

export function unexpectedState(intent: Intent, message: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    code: `${intent.object}_unexpected_state`,
    message,
    [intent.object]: intent,
  });
}

function titleOf(kind: Intent['object']): 'PaymentIntent' | 'SetupIntent' {
  return kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent';
}

/** The browser's next step: to open `path`, relative to the simulator's URL as the browser sees it, in a frame. */
export function challengeAction(id: string, clientSecret: string) {
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: {
      type: 'sandbox_challenge',
      path: `challenge/${id}?client_secret=${encodeURIComponent(clientSecret)}`,
    },
  };
}

const publicFields = new Set([
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
  'usage',
]);

/** A browser's view of an intent, alone or in an error: no customer, metadata or charge. Leaves other bodies as is. */
export function publicView(body: unknown): unknown {
  const value = body as { object?: string; error?: Record<string, unknown> };
  if (value.error) {
    const error = { ...value.error };
    for (const kind of ['payment_intent', 'setup_intent']) {
      if (error[kind]) error[kind] = publicView(error[kind]);
    }
    return { error };
  }
  if (value.object !== 'payment_intent' && value.object !== 'setup_intent') return body;
  return Object.fromEntries(Object.entries(value).filter(([name]) => publicFields.has(name)));
}
