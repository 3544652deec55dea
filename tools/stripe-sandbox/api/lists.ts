import type { Params } from './params.ts';
import { invalidRequest } from './stripe-error.ts';

/**
 * A page of one of Stripe's lists, newest first, by the parameters `limit`, `starting_after`, `ending_before` and
 * `created` (a time or a range). `find` returns null for a record that the list excludes. `ids` are oldest first.
 */
export function listPage<T extends { id: string; created: number }>(
  url: string,
  params: Params,
  ids: readonly string[],
  find: (id: string) => T | null,
) {
  const limit = params.integer('limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalidRequest(`This value must be between 1 and 100.`, 'parameter_invalid_integer', 'limit');
  }
  const isInRange = readCreatedRange(params);
  const before = params.text('ending_before');
  const step = before === null ? -1 : 1;
  const data: T[] = [];
  let hasMore = false;
  for (
    let at = findStart(ids, before, params.text('starting_after'));
    at >= 0 && at < ids.length;
    at += step
  ) {
    const record = find(ids[at]!);
    if (!record || !isInRange(record.created)) continue;
    if (data.length === limit) {
      hasMore = true;
      break;
    }
    data.push(record);
  }
  if (before !== null) data.reverse();
  return { object: 'list', data, has_more: hasMore, url };
}

function findStart(ids: readonly string[], before: string | null, after: string | null): number {
  const cursor = before ?? after;
  if (cursor === null) return ids.length - 1;
  const at = ids.lastIndexOf(cursor);
  if (at < 0) {
    const param = before === null ? 'starting_after' : 'ending_before';
    throw invalidRequest(`No such object: '${cursor}'`, 'resource_missing', param);
  }
  return before === null ? at - 1 : at + 1;
}

function readCreatedRange(params: Params): (created: number) => boolean {
  const range = params.nested('created');
  if (!range) {
    const exact = params.integer('created');
    return exact === null ? () => true : (created) => created === exact;
  }
  range.allow(['gt', 'gte', 'lt', 'lte']);
  const [gt, gte] = [range.integer('gt') ?? -Infinity, range.integer('gte') ?? -Infinity];
  const [lt, lte] = [range.integer('lt') ?? Infinity, range.integer('lte') ?? Infinity];
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}
