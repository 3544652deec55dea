import { type ComponentType, lazy } from 'react';

const retryAfterMs = 3_000;

/**
 * A part of a page that is loaded after the first paint. A failed load is retried while the fallback shows, so that a
 * weak connection delays the part and does not break the page.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    for (;;) {
      try {
        return { default: await load() };
      } catch (error) {
        console.error('A part of the page could not be fetched', error);
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      }
    }
  });
}
