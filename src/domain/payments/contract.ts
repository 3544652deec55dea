import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cardBrand, lastFour } from '../fields.ts';

export const savedCard = z
  .object({
    brand: cardBrand,
    lastFour,
    expMonth: z
      .number()
      .int()
      .nullable()
      .meta({ examples: [12] })
      .describe(
        'The last month in which the card is valid; null if Stripe has not returned the expiry date yet.',
      ),
    expYear: z
      .number()
      .int()
      .nullable()
      .meta({ examples: [2030] }),
  })
  .meta({
    id: 'SavedCard',
    description: 'A saved card as its owner sees it: only the brand, last four digits and expiry date.',
  });
export type SavedCard = z.output<typeof savedCard>;

export const paymentsApi = {
  getStripeConfig: endpoint({
    method: 'GET',
    path: '/api/functions/get-stripe-config',
    operationId: 'get-stripe-config',
    gate: 'signedIn',
    summary: "Get the card form's key",
    description: 'The key with which the browser mounts the card form; null if none is configured.',
    input: z.object({}),
    output: z.object({
      publishableKey: z
        .string()
        .meta({ examples: ['pk_test_123'] })
        .nullable(),
      isSandbox: z
        .boolean()
        .describe(
          "True if the Stripe simulator saves the cards; the browser then shows the simulator's card form.",
        ),
    }),
    wireNames: { publishableKey: 'publishable_key' },
  }),
  startCardSetup: endpoint({
    method: 'POST',
    path: '/api/payment-method/setup',
    operationId: 'start_card_setup',
    gate: 'customer',
    summary: 'Start saving a card',
    description: 'Creates a SetupIntent with which the browser saves a card, including 3-D Secure.',
    refusals: ['conflict', 'unprocessable'],
    input: z.object({}),
    output: z.object({ clientSecret: z.string().meta({ examples: ['seti_123_secret_456'] }) }),
  }),
  setupPaymentMethod: endpoint({
    method: 'POST',
    path: '/api/functions/setup-payment-method',
    operationId: 'setup-payment-method',
    gate: 'customer',
    summary: 'Save a card',
    description:
      'Saves a card that has been set up, so that bookings are charged to it; replaces the previous card.',
    refusals: ['conflict'],
    input: z.object({
      paymentMethodId: z
        .string()
        .regex(/^pm_\w{1,255}$/, 'This is not the id of a payment method.')
        .meta({
          description: 'The payment method of the SetupIntent that the browser confirmed.',
          examples: ['pm_1Q2w3E'],
        }),
    }),
    output: z.object({ card: savedCard }),
    wireNames: { paymentMethodId: 'payment_method_id' },
  }),
  getPaymentMethod: endpoint({
    method: 'GET',
    path: '/api/payment-method',
    operationId: 'get_payment_method',
    gate: 'signedIn',
    summary: 'Get the saved card',
    description: 'The saved card; null if there is none.',
    input: z.object({}),
    output: z.object({ card: savedCard.nullable() }),
  }),
  removePaymentMethod: endpoint({
    method: 'DELETE',
    path: '/api/payment-method',
    operationId: 'remove_payment_method',
    gate: 'signedIn',
    summary: 'Remove the saved card',
    description: 'Deletes the saved card from our database and from Stripe.',
    input: z.object({}),
    output: z.object({}),
  }),
};
