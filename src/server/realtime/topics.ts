import type { Person } from '#domain/access.ts';
import { type PrivateTopic, roleOfTopic } from '#domain/changes.ts';

/** The topic that anyone may join. The client library puts `realtime:` before every name. */
export const slotsTopic = 'realtime:places';

export type Topic = { name: string; kind: 'places' | PrivateTopic; ownerId: string | null };

const pattern = /^realtime:(?:(places|admin)|(user|coach):([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))$/;

/** Parses the name of a topic; null if there is no topic with this name. */
export function parseTopic(name: string): Topic | null {
  const [, shared, own, ownerId] = pattern.exec(name) ?? [];
  const kind = (shared ?? own) as Topic['kind'] | undefined;
  return kind ? { name, kind, ownerId: ownerId ?? null } : null;
}

/** The name of the private topic on which changes with this topic and key are sent. */
export const nameTopic = (kind: PrivateTopic, key: string) =>
  kind === 'admin' ? 'realtime:admin' : `realtime:${kind}:${key}`;

/** Whether a person may join a topic. An id in the topic's name must be theirs, and they need the topic's role. */
export function mayJoin({ kind, ownerId }: Topic, person: Person): boolean {
  if (kind === 'places') return true;
  if (ownerId !== null && ownerId !== person.userId) return false;
  const role = roleOfTopic[kind];
  return role === null || person.roles.includes(role);
}
