import type { Call } from '../api/call.ts';
import { listPage } from '../api/lists.ts';
import { missingResource } from '../api/stripe-error.ts';
import { renderEvent } from './records.ts';

export function retrieveEvent({ store, id }: Call) {
  const event = store.events.get(id);
  if (!event) throw missingResource('event', id, 'id');
  return renderEvent(event, !store.undelivered.has(id));
}

export function listEvents({ store, params, path }: Call) {
  const type = params.text('type');
  const types = type === null ? params.list('types') : [type];
  const matches = types.map((pattern) => {
    const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : null;
    return (name: string) => (prefix === null ? name === pattern : name.startsWith(prefix));
  });
  return listPage(path, params, store.events.ids(), (id) => {
    const event = store.events.get(id)!;
    if (matches.length > 0 && !matches.some((match) => match(event.type))) return null;
    return renderEvent(event, !store.undelivered.has(id));
  });
}
