import type { Change, Store } from '../store.ts';
import type { Switches } from '../switches.ts';
import type { Params } from './params.ts';

/** One API request, parsed but not executed. `id` comes from the path and is empty if the path has none. */
export interface Call {
  store: Store;
  switches: Switches;
  path: string;
  id: string;
  params: Params;
  /** True if a browser made the request, with the publishable key. */
  isPublishable: boolean;
}

/** Executes a validated request. Its result or error is stored under the idempotency key. */
export type Execution = (change: Change) => object;
