import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import {
  type Answer,
  callEndpoint,
  outputOf,
  type Someone,
} from '#server/test-support/contract-client.test-support.ts';

/** The URL of the product under test; playwright.config.ts chooses the port and starts the product. */
export const productUrl = `http://127.0.0.1:${process.env.E2E_PORT}`;

/** The URL of a second process of the product on the same database. */
export const secondUrl = `http://127.0.0.1:${process.env.E2E_SECOND_PORT}`;

const newAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
let ownAddress = newAddress();

/**
 * Gives the next test its own IP address, so that tests don't use up each other's rate limits. The test's browser and
 * API calls share the address.
 */
export function takeNewAddress(): void {
  ownAddress = newAddress();
}

/** The headers that give a request the test's own IP address. */
export const fromOwnAddress = () => ({ 'x-forwarded-for': ownAddress });

/** Calls an endpoint as someone, or as a visitor (null), without a browser. */
export const ask = <E extends Endpoint>(
  who: Someone | null,
  endpoint: E,
  input: InputOf<E>,
): Promise<Answer<OutputOf<E>>> =>
  callEndpoint(productUrl, who, endpoint, input, { headers: fromOwnAddress() });

/** Returns the output of a call; fails the test if the call is refused. */
export const call = <E extends Endpoint>(who: Someone | null, endpoint: E, input: InputOf<E>) =>
  outputOf(ask(who, endpoint, input));
