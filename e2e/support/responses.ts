import type { Page, Route } from '@playwright/test';
import type { Endpoint, OutputOf } from '#domain/endpoint.ts';
import { statusByCode } from '#domain/error-statuses.ts';
import type { ErrorBody, ErrorCode } from '#domain/errors.ts';

/** An endpoint of the contract, or a URL pattern for Playwright's `route`. */
type Target = Endpoint | string | RegExp;
type BodyOf<T extends Target> = T extends Endpoint ? OutputOf<T> : never;

/**
 * How a call fails: the request never reaches the server (`offline`), the server acts but its response is lost
 * (`lost`), or the call is refused with an error of the contract.
 */
type Failure = 'offline' | 'lost' | { code: ErrorCode; message?: string; details?: object };

/** The refusal of a call if the last sign-in was too long ago: the person must enter the password or a code again. */
export const oldProof = {
  code: 'confirmation_required',
  message: 'Please enter your password once more.',
  details: { isCodeEnough: true },
} as const;

/** Controls the interception of a page's requests. */
type Intercepted = {
  /** Resolves at the first intercepted request. */
  arrived: Promise<void>;
  /** Stops intercepting, and delivers any delayed response. */
  release: () => Promise<void>;
};

type How = {
  /** Intercepts only the first request. */
  once?: boolean;
  /** Intercepts only requests with this method. Not needed for an endpoint, which defines its method. */
  method?: string;
};

/**
 * Delays the server's responses until `release`, as a slow connection would. `arrived` resolves only once the server
 * has responded. `fail` makes the delayed requests, and all others until `release`, fail in the browser.
 */
export async function holdResponse<T extends Target>(
  page: Page,
  target: T,
  { change, ...how }: How & { change?: (body: BodyOf<T>) => BodyOf<T> } = {},
): Promise<Intercepted & { fail: () => void }> {
  let decide = (_: 'deliver' | 'fail') => {};
  const verdict = new Promise<'deliver' | 'fail'>((resolve) => {
    decide = resolve;
  });
  const held: Promise<void>[] = [];
  async function hold(route: Route, arrive: () => void): Promise<void> {
    const response = await route.fetch();
    const changed = change && { json: change(await response.json()) };
    arrive();
    const isFailing = (await verdict) === 'fail';
    // The page may have aborted the request in the meantime.
    await (isFailing ? route.abort('failed') : route.fulfill({ response, ...changed })).catch(() => {});
  }
  const { arrived, release } = await intercept(page, target, how, (route, arrive) => {
    const holding = hold(route, arrive);
    held.push(holding);
    return holding;
  });
  return {
    arrived,
    fail: () => decide('fail'),
    release: async () => {
      await release();
      decide('deliver');
      await Promise.allSettled(held);
    },
  };
}

/** Makes calls fail until `release`, by default before they reach the server. */
export function failResponse(
  page: Page,
  target: Target,
  failure: Failure = 'offline',
  how: How = {},
): Promise<Intercepted> {
  return intercept(page, target, how, async (route, arrive) => {
    arrive();
    if (failure === 'offline') return route.abort('failed');
    if (failure === 'lost') {
      await route.fetch();
      return route.abort('connectionreset');
    }
    const { code, message = 'Please try again.', details } = failure;
    const body: ErrorBody = { error: { code, message, details: details as Record<string, unknown> } };
    return route.fulfill({ status: statusByCode[code], json: body });
  });
}

/** Changes the server's responses to a call until `release`. */
export function changeResponse<E extends Endpoint>(
  page: Page,
  endpoint: E,
  change: (body: OutputOf<E>) => OutputOf<E>,
): Promise<Intercepted> {
  return intercept(page, endpoint, {}, async (route, arrive) => {
    const response = await route.fetch();
    const json = change(await response.json());
    arrive();
    // The page may have aborted the request in the meantime.
    await route.fulfill({ response, json }).catch(() => {});
  });
}

/** Responds to a call instead of the server until `release`. */
export function giveResponse<E extends Endpoint>(
  page: Page,
  endpoint: E,
  body: OutputOf<E>,
  how: How = {},
): Promise<Intercepted> {
  return intercept(page, endpoint, how, (route, arrive) => {
    arrive();
    return route.fulfill({ json: body });
  });
}

/** Runs `act` at the page's next call of this endpoint, before the server gets the request. */
export function beforeNextCall(
  page: Page,
  endpoint: Endpoint,
  act: () => Promise<unknown>,
): Promise<Intercepted> {
  return intercept(page, endpoint, { once: true }, async (route, arrive) => {
    await act();
    arrive();
    await route.fallback();
  });
}

async function intercept(
  page: Page,
  target: Target,
  { once = false, method }: How,
  act: (route: Route, arrive: () => void) => Promise<void>,
): Promise<Intercepted> {
  const isEndpoint = typeof target === 'object' && 'operationId' in target;
  const url = isEndpoint ? addressOf(target) : target;
  const onlyMethod = isEndpoint ? target.method : method;
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let isOver = false;
  await page.route(url, (route) => {
    if (isOver || (onlyMethod && route.request().method() !== onlyMethod)) return route.fallback();
    isOver = once;
    return act(route, arrive);
  });
  // The route stays until the test ends. When a page's last route is removed, the browser may lose a request that it
  // has just paused, and nothing would ignore the errors of a handler that is still running when the page closes.
  const release = async () => {
    isOver = true;
  };
  return { arrived, release };
}

/** Matches the URLs of calls to an endpoint. */
export const addressOf = ({ path }: Endpoint) =>
  new RegExp(`^https?://[^/]+${path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`);

/** Refuses the next request to this URL for exceeding a rate limit, with a wait of 90 seconds. */
export async function refuseNextAsTooMany(page: Page, url: string, method = 'POST'): Promise<void> {
  const message = 'Too many attempts.';
  await intercept(page, url, { once: true, method }, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '90', 'x-supabase-api-version': '2024-01-01' },
      json: {
        ...{ code: 'over_request_rate_limit', msg: message },
        error: { code: 'too_many_requests', message, details: { retryAfterSeconds: 90 } },
      },
    }),
  );
}
