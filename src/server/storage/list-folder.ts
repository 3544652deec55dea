import { z } from 'zod';
import type { StoredObject } from './queries.ts';

/** The body of a request for a listing, with the defaults of storage-js. */
export const listRequest = z.object({
  prefix: z.string().max(500).default(''),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).max(100_000).default(0),
  search: z.string().max(200).optional(),
  sortBy: z
    .object({
      column: z.enum(['name', 'created_at', 'updated_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .prefault({}),
});
export type ListRequest = z.output<typeof listRequest>;

/** An entry as storage-js types it; a folder has only a name. */
export type Entry = {
  name: string;
  id: string | null;
  updated_at: string | null;
  created_at: string | null;
  last_accessed_at: string | null;
  metadata: Record<string, unknown> | null;
};

/** Lists the requested page of one folder of a person's own objects: files and folders together. */
export function listFolder(objects: readonly StoredObject[], request: ListRequest): Entry[] {
  const folder = request.prefix.replace(/^\/+|\/+$/g, '');
  const start = folder === '' ? '' : `${folder}/`;
  const search = request.search?.toLowerCase() ?? '';
  const entries = new Map<string, Entry>();
  for (const object of objects) {
    if (!object.path.startsWith(start)) continue;
    const [name = '', ...deeper] = object.path.slice(start.length).split('/');
    if (!name.toLowerCase().includes(search)) continue;
    entries.set(name, deeper.length > 0 ? folderEntry(name) : toEntry(object, name));
  }
  const { column, order } = request.sortBy;
  const direction = order === 'asc' ? 1 : -1;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const sorted = [...entries.values()].sort(
    (a, b) => direction * (compare(a[column] ?? '', b[column] ?? '') || compare(a.name, b.name)),
  );
  return sorted.slice(request.offset, request.offset + request.limit);
}

const folderEntry = (name: string): Entry => ({
  name,
  id: null,
  updated_at: null,
  created_at: null,
  last_accessed_at: null,
  metadata: null,
});

/** The listing entry of an object, under this name. */
export const toEntry = (object: StoredObject, name: string): Entry => ({
  name,
  id: object.objectId,
  updated_at: object.updatedAt,
  created_at: object.createdAt,
  last_accessed_at: object.updatedAt,
  metadata: {
    eTag: `"${object.contentId}"`,
    size: object.bytes,
    mimetype: object.contentType,
    cacheControl: `max-age=${object.cacheSeconds}`,
    lastModified: object.updatedAt,
    contentLength: object.bytes,
    httpStatusCode: 200,
  },
});
