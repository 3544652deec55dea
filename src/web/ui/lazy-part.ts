import { type ComponentType, lazy } from 'react';

const retryAfterMs = 3_000;

type PropsOf<Part> = Part extends (props: infer Props) => unknown ? Props : never;

/**
 * A part of a page that is loaded after the first paint: the component that the module exports as `name`. A failed load
 * is retried while the fallback shows, so that a weak connection delays the part and does not break the page. Browsers
 * from before summer 2026 never request a module again after a failed fetch, so the person has to reload the page
 * (https://github.com/whatwg/html/pull/10327). A retry with another URL would load the module and its state twice if
 * other modules import the module too.
 */
export function lazyPart<Name extends string, Module extends Record<Name, ComponentType<never>>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazy(async () => {
    for (;;) {
      try {
        return { default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> };
      } catch (error) {
        console.error('A part of the page could not be fetched', error);
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      }
    }
  });
}
