import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** A saved card as its owner sees it: never more than brand, last four digits and expiry. */
export const savedCard = z.object({
  brand: z.string(),
  lastFour: z.string(),
  /** The month at whose end it expires; null if the card network has not said yet. */
  expMonth: z.number().int().nullable(),
  expYear: z.number().int().nullable(),
});
export type SavedCard = z.output<typeof savedCard>;

export const paymentsApi = {
  getStripeConfig: endpoint({
    method: 'GET',
    path: '/api/functions/get-stripe-config',
    operationId: 'get-stripe-config',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({
      publishableKey: z.string().nullable(),
      /** True if cards go to the simulator and the browser shows its card form instead of Stripe's. */
      isSandbox: z.boolean(),
    }),
    summary: 'The key with which the browser mounts the card form; null where none is configured.',
    wireNames: { publishableKey: 'publishable_key' },
  }),
  startCardSetup: endpoint({
    method: 'POST',
    path: '/api/payment-method/setup',
    operationId: 'start_card_setup',
    gate: 'customer',
    input: z.object({}),
    output: z.object({ clientSecret: z.string() }),
    summary: 'Opens a SetupIntent with which the browser saves a card, 3-D Secure included.',
  }),
  setupPaymentMethod: endpoint({
    method: 'POST',
    path: '/api/functions/setup-payment-method',
    operationId: 'setup-payment-method',
    gate: 'customer',
    input: z.object({ paymentMethodId: z.string().regex(/^pm_\w{1,255}$/, 'This is not a saved card.') }),
    output: z.object({ card: savedCard }),
    summary: 'Makes a card that was set up the one that bookings are charged to; replaces the card before.',
    wireNames: { paymentMethodId: 'payment_method_id' },
  }),
  getPaymentMethod: endpoint({
    method: 'GET',
    path: '/api/payment-method',
    operationId: 'get_payment_method',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ card: savedCard.nullable() }),
    summary: 'The saved card, if there is one.',
  }),
  removePaymentMethod: endpoint({
    method: 'DELETE',
    path: '/api/payment-method',
    operationId: 'remove_payment_method',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({}),
    summary: 'Forgets the saved card, here and on the card network.',
  }),
};
