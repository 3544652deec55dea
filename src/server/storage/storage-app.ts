import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { deniedMessages, isAllowed, type Person, type Role } from '#domain/access.ts';
import { statusByCode } from '#domain/error-statuses.ts';
import { AppError } from '#domain/errors.ts';
import {
  type BucketName,
  buckets,
  maxCacheSeconds,
  signedSeconds,
  uploadLimits,
} from '#domain/storage/buckets.ts';
import { isBucket, readObjectPath } from '#domain/storage/rules.ts';
import { explainIssue } from '#server/platform/http/explain-issue.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { consume, describeWait } from '#server/platform/http/rate-limit.ts';
import { readText } from '#server/platform/http/read-body.ts';
import type { Log } from '#server/platform/log.ts';
import { listFolder, listRequest, toEntry } from './list-folder.ts';
import { findObject, findPublicObject, listObjects, type StoredObject } from './queries.ts';
import { readUpload } from './read-upload.ts';
import { removeObjects } from './remove-objects.ts';
import { refuseTransformation, serveObject } from './serve-object.ts';
import type { StorageParts } from './storage.ts';
import { readStorageRefusal, toStorageError } from './storage-refusal.ts';
import { storeObject } from './store-object.ts';

type Ctx = Context<{ Variables: Variables }>;

/** How many uploads are handled at the same time; the body of each may take 8 MB of memory. */
const maxUploadsAtOnce = 16;

/**
 * The part of Supabase Storage's HTTP API that storage-js 2.103.1 uses for files, to be mounted at `/storage/v1` in an
 * app created by `createHttpApp`. `authenticate` reads the bearer token, as for every other call. A path begins with
 * its owner's id. An object that the caller may not see gets the same response as one that does not exist.
 */
export function createStorageApp(
  parts: StorageParts & { log: Log },
  authenticate: (authorization: string | undefined) => Promise<Person | null>,
): Hono<{ Variables: Variables }> {
  const { db, signer, log, uploads } = parts;
  const app = new Hono<{ Variables: Variables }>();

  app.onError((error, c) => {
    const known = readStorageRefusal(error);
    const facts = { requestId: c.get('requestId'), userId: c.get('userId'), path: c.req.path };
    if (!known || statusByCode[known.code] >= 500) log.error({ ...facts, err: error }, 'request failed');
    const refusal = known ?? new AppError('internal', 'Something went wrong. Please try again.');
    if (refusal.code === 'unavailable') c.header('retry-after', '1');
    if (refusal.code === 'too_many_requests') {
      c.header('retry-after', String(refusal.details?.retryAfterSeconds ?? 60));
    }
    c.header('cache-control', 'no-store');
    return c.json(toStorageError(refusal), statusByCode[refusal.code]);
  });

  async function readCaller(c: Ctx): Promise<Person | null> {
    const caller = await authenticate(c.req.header('authorization'));
    if (!caller) return null;
    c.set('userId', caller.userId);
    // Set on Node's own response, where a header of the Hono response takes precedence.
    (c.env as HttpBindings).outgoing.setHeader('cache-control', 'no-store');
    return caller;
  }

  async function requireCaller(c: Ctx): Promise<Person> {
    const caller = await readCaller(c);
    if (!caller) throw new AppError('unauthenticated', 'Please sign in to do this.');
    return caller;
  }

  /** An object that the caller may read: their own, or one that visitors can see. */
  async function readReadable(c: Ctx, address: Address): Promise<{ object: StoredObject; isOwn: boolean }> {
    const caller = await readCaller(c);
    const isOwn = caller !== null && address.ownerId === caller.userId;
    const { bucket, path } = address;
    if (!isOwn && !buckets[bucket].isPublic) throw caller ? notFound() : unauthenticated();
    const object = await (isOwn ? findObject(db, bucket, path) : findPublicObject(db, bucket, path));
    if (!object) throw notFound();
    return { object, isOwn };
  }

  async function upload(c: Ctx, mode: 'create' | 'replace' | 'upsert'): Promise<Response> {
    const caller = await requireCaller(c);
    const { bucket, path, ownerId } = readAddress(c, 'object');
    if (ownerId !== caller.userId) throw notFound();
    const { gate } = buckets[bucket];
    if (!isAllowed(gate, caller)) throw new AppError('forbidden', deniedMessages[gate as Role]);
    await assertUploadAllowed(caller);
    if (uploads.running >= maxUploadsAtOnce) {
      throw new AppError('unavailable', 'Many people are uploading right now. Please try again in a moment.');
    }
    uploads.running += 1;
    try {
      const read = await readUpload(c.req.raw);
      const stored = await storeObject(parts, { ...read, bucket, path, mode, ownerUserId: caller.userId });
      return c.json({ Id: stored.objectId, Key: `${bucket}/${path}` });
    } finally {
      uploads.running -= 1;
    }
  }

  async function assertUploadAllowed({ userId }: Person): Promise<void> {
    const limit = { calls: uploadLimits.uploadsPerHour, seconds: 3600 };
    const retryAfterSeconds = await consume(db, `upload:${userId}`, limit);
    if (retryAfterSeconds === null) return;
    const wait = describeWait(retryAfterSeconds);
    throw new AppError('too_many_requests', `You've uploaded a lot of files. Please try again in ${wait}.`, {
      details: { retryAfterSeconds },
    });
  }

  // These calls have their own errors, so that no client concludes that an object is missing.
  const refused: Record<string, string> = {
    '/object/move':
      'Moving objects is not supported. Upload the file under its new name and remove the old file.',
    '/object/copy': 'Copying objects is not supported. Upload the file under both names.',
    '/object/upload/*': 'Signed uploads are not supported. Upload with an access token.',
    '/object/list-v2/*': 'This kind of listing is not supported. Use list.',
    '/bucket/*': 'Buckets cannot be listed or changed.',
    '/bucket': 'Buckets cannot be listed or changed.',
    '/iceberg/*': 'Analytics buckets are not supported.',
    '/vector/*': 'Vector buckets are not supported.',
  };
  for (const [path, message] of Object.entries(refused)) {
    app.all(path, () => {
      throw new AppError('bad_request', message);
    });
  }
  app.all('/render/*', () => {
    throw refuseTransformation();
  });

  app.post('/object/list/:bucket', async (c) => {
    const caller = await requireCaller(c);
    const bucket = readBucket(c.req.param('bucket'));
    const request = await readJson(c, listRequest);
    const [ownerId] = request.prefix.replace(/^\/+/, '').split('/');
    if (ownerId && ownerId !== caller.userId) throw notFound();
    return c.json(listFolder(await listObjects(db, bucket, caller.userId), request));
  });

  app.get('/object/public/*', async (c) => {
    const { bucket, path } = readAddress(c, 'object/public');
    const object = buckets[bucket].isPublic ? await findPublicObject(db, bucket, path) : undefined;
    if (!object) throw notFound();
    return serveObject(c, parts, object, { scope: 'public', seconds: maxCacheSeconds });
  });

  app.get('/object/sign/*', async (c) => {
    const { bucket, path } = readAddress(c, 'object/sign');
    const secondsLeft = signer.verify(`${bucket}/${path}`, c.req.query('token') ?? '');
    if (secondsLeft === null)
      throw new AppError('bad_request', 'This address has expired. Please open the file again.');
    const object = await findObject(db, bucket, path);
    if (!object) throw notFound();
    return serveObject(c, parts, object, {
      scope: 'private',
      seconds: Math.min(secondsLeft, maxCacheSeconds),
    });
  });

  const signRequest = z.object({
    expiresIn: z.number().positive('expiresIn must be more than 0.'),
    transform: z.unknown().optional(),
  });
  app.post('/object/sign/:bucket', async (c) => {
    const caller = await requireCaller(c);
    const bucket = readBucket(c.req.param('bucket'));
    const { paths } = await readJson(c, signRequest.extend({ paths: z.array(z.string()).min(1).max(100) }));
    const own = new Set((await listObjects(db, bucket, caller.userId)).map(({ path }) => path));
    return c.json(
      paths.map((path) =>
        own.has(path)
          ? { path, error: null, signedURL: signer.sign(`${bucket}/${path}`, signedSeconds) }
          : {
              path,
              error: 'Either the object does not exist or you do not have access to it',
              signedURL: null,
            },
      ),
    );
  });
  app.post('/object/sign/*', async (c) => {
    const caller = await requireCaller(c);
    const { bucket, path, ownerId } = readAddress(c, 'object/sign');
    const { transform } = await readJson(c, signRequest);
    if (transform !== undefined) throw refuseTransformation();
    const object = ownerId === caller.userId && (await findObject(db, bucket, path));
    if (!object) throw notFound();
    return c.json({ signedURL: signer.sign(`${bucket}/${path}`, signedSeconds) });
  });

  for (const prefix of ['object/info/public', 'object/info/authenticated', 'object/info']) {
    app.get(`/${prefix}/*`, async (c) => {
      const { object } = await readReadable(c, readAddress(c, prefix));
      return c.json({
        id: object.objectId,
        name: object.path,
        version: object.contentId,
        bucket_id: object.bucket,
        size: object.bytes,
        content_type: object.contentType,
        cache_control: `max-age=${object.cacheSeconds}`,
        etag: `"${object.contentId}"`,
        last_modified: object.updatedAt,
        created_at: object.createdAt,
        metadata: object.alt ? { alt: object.alt } : {},
      });
    });
  }

  const removeRequest = z.object({ prefixes: z.array(z.string()).min(1).max(100) });
  app.delete('/object/:bucket', async (c) => {
    const caller = await requireCaller(c);
    const bucket = readBucket(c.req.param('bucket'));
    const { prefixes } = await readJson(c, removeRequest);
    if (prefixes.some((path) => path.split('/')[0] !== caller.userId)) throw notFound();
    const removed = await removeObjects(db, caller, bucket, prefixes);
    return c.json(removed.map((object) => ({ bucket_id: bucket, ...toEntry(object, object.path) })));
  });

  for (const prefix of ['object/authenticated', 'object']) {
    app.get(`/${prefix}/*`, async (c) => {
      const { object, isOwn } = await readReadable(c, readAddress(c, prefix));
      return serveObject(c, parts, object, isOwn ? null : { scope: 'public', seconds: maxCacheSeconds });
    });
  }
  app.post('/object/*', (c) => upload(c, c.req.header('x-upsert') === 'true' ? 'upsert' : 'create'));
  app.put('/object/*', (c) => upload(c, 'replace'));

  app.all('*', () => {
    throw new AppError('not_found', "There's nothing at this URL.");
  });
  return app;
}

type Address = { bucket: BucketName; path: string; ownerId: string };

const notFound = () => new AppError('not_found', 'Object not found');
const unauthenticated = () => new AppError('unauthenticated', 'Please sign in to do this.');

function readBucket(name: string): BucketName {
  if (!isBucket(name)) throw new AppError('not_found', 'Bucket not found');
  return name;
}

/** The object that a URL names below `prefix`. Each segment is decoded separately, so "%2f" separates nothing. */
function readAddress(c: Ctx, prefix: string): Address {
  const raw = new URL(c.req.url).pathname.slice(`/storage/v1/${prefix}/`.length);
  const [bucketName = '', ...encoded] = raw.split('/');
  const bucket = readBucket(bucketName);
  const path = encoded.map(decode).join('/');
  const segments = readObjectPath(path);
  if (!segments || segments.length !== encoded.length) {
    throw new AppError(
      'bad_request',
      'A path must consist of your id and a name of letters, digits, full stops, hyphens and underscores.',
    );
  }
  return { bucket, path, ownerId: segments[0]! };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('bad_request', 'The path is not well-formed.');
  }
}

async function readJson<T extends z.ZodType>(c: Ctx, schema: T): Promise<z.output<T>> {
  const text = await readText(c.req.raw);
  let value: unknown;
  try {
    value = JSON.parse(text || '{}');
  } catch {
    throw new AppError('bad_request', 'The body is not well-formed JSON.');
  }
  const parsed = schema.safeParse(value, { error: explainIssue });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    const fields = path.length > 0 ? { fields: { [path.join('.')]: message } } : {};
    throw new AppError('bad_request', message, fields);
  }
  return parsed.data;
}
