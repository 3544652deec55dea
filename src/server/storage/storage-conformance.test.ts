import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { StorageApiError, type StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { uploadLimits } from '#domain/storage/buckets.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

// Checks, call by call, that the server does what storage-js expects. docs/decisions/0073 lists the differences.
const app = setUpTestApp();

const documentsOf = (person: Someone) => storageOf(app.url, person).from('documents');
const pdf = Buffer.from('%PDF-1.7\nA certificate');
const isText = expect.any(String);

/** A person with one document and one picture. */
async function openBuckets() {
  const person = await app.signIn('customer', 'coach');
  const path = `${person.userId}/first-aid.pdf`;
  const face = `${person.userId}/avatar`;
  const [documents, avatars] = [documentsOf(person), storageOf(app.url, person).from('avatars')];
  expect((await documents.upload(path, pdf)).error).toBeNull();
  expect((await avatars.upload(face, await makePicture())).error).toBeNull();
  return { person, path, face, documents, avatars };
}

describe('uploading', () => {
  test('accepts a file in every form that the client can send [FILE-2a]', async () => {
    const { version } = createRequire(import.meta.url)('@supabase/storage-js/package.json');
    expect(version).toBe('2.103.1');
    const person = await app.signIn('customer');
    const bytes = new Uint8Array(pdf);
    const form = new FormData();
    form.append('', new Blob([bytes]), 'first-aid.pdf');
    const forms = {
      'a buffer': pdf,
      'an array buffer': bytes.buffer,
      'a typed array': bytes,
      'a blob': new Blob([bytes]),
      'a file': new File([bytes], 'first-aid.pdf', { type: 'application/pdf' }),
      'a form': form,
      'a web stream': new Blob([bytes]).stream(),
      'a Node stream': Readable.from([pdf.subarray(0, 5), pdf.subarray(5)]),
    };
    for (const [index, [name, body]] of Object.entries(forms).entries()) {
      const path = `${person.userId}/f${index}.pdf`;
      const { data, error } = await documentsOf(person).upload(path, body, { duplex: 'half' });
      expect(error, name).toBeNull();
      expect(data, name).toEqual({ id: isText, path, fullPath: `documents/${path}` });
      const { data: stored } = await documentsOf(person).download(path);
      expect(Buffer.from(await stored!.arrayBuffer()).equals(pdf), name).toBe(true);
    }
    const { error } = await documentsOf(person).upload(`${person.userId}/text`, 'A string');
    expect(error).toMatchObject({ status: 415 });
  });

  test('stores the cache time and description sent with a buffer, a Blob or a form', async () => {
    const person = await app.signIn('coach');
    const gallery = storageOf(app.url, person).from('gallery');
    const picture = await makePicture({ width: 60, height: 40 });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)]), 'court.jpg');
    const metadata = { alt: 'Serving', isConsentConfirmed: true, colour: 'red' };
    const forms = [picture, new Blob([new Uint8Array(picture)]), form];
    for (const [index, body] of forms.entries()) {
      const path = `${person.userId}/p${index}`;
      const { error } = await gallery.upload(path, body, { cacheControl: '120', metadata });
      expect(error).toBeNull();
      const { data } = await gallery.info(path);
      expect(data).toMatchObject({ cacheControl: 'max-age=120', metadata: { alt: 'Serving' } });
      expect(data!.metadata).not.toHaveProperty('colour');
    }
  });
});

describe('reading', () => {
  test('returns the details of an object under the names that the client expects [FILE-2a]', async () => {
    const { documents, path } = await openBuckets();
    expect((await documents.info(path)).data).toEqual({
      ...{ id: isText, name: path, version: isText, bucketId: 'documents', size: pdf.length },
      ...{ contentType: 'application/pdf', cacheControl: 'max-age=3600', etag: isText, metadata: {} },
      ...{ lastModified: isText, createdAt: isText },
    });
  });

  test('lists files and folders with the fields that the client expects [FILE-2a]', async () => {
    const { documents, path, person } = await openBuckets();
    await documents.upload(`${person.userId}/term/plan.pdf`, pdf);
    const { data } = await documents.list(person.userId);
    const times = { updated_at: isText, created_at: isText, last_accessed_at: isText };
    const facts = { size: pdf.length, mimetype: 'application/pdf', cacheControl: 'max-age=3600' };
    expect(data).toEqual([
      { name: path.split('/')[1], id: isText, ...times, metadata: expect.objectContaining(facts) },
      {
        ...{ name: 'term', id: null, metadata: null },
        ...{ updated_at: null, created_at: null, last_accessed_at: null },
      },
    ]);
    expect((await documents.list(`${person.userId}/nothing`)).data).toEqual([]);
  });

  test('downloads as a blob with its type, and as a stream [FILE-2a]', async () => {
    const { documents, avatars, path, face } = await openBuckets();
    const { data: blob } = await avatars.download(face, { transform: {}, cacheNonce: '7' });
    expect(blob!.type).toBe('image/webp');
    expect((await sharp(await blob!.arrayBuffer()).metadata()).width).toBe(512);
    const { data: stream } = await documents.download(path).asStream();
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(pdf)).toBe(true);
    const { data: fresh } = await documents.download(path, {}, { cache: 'no-store' });
    expect(fresh!.size).toBe(pdf.length);
  });

  test('returns URLs that work as they are, with the requested file name [FILE-2a]', async () => {
    const { documents, avatars, path, face } = await openBuckets();
    const options = { download: 'me.jpg', cacheNonce: '7' };
    const dispositionOf = async (url: string | undefined) => {
      const response = await fetch(url!);
      expect(response.status, url).toBe(200);
      return response.headers.get('content-disposition');
    };
    const publicUrl = (given = {}) => avatars.getPublicUrl(face, given).data.publicUrl;
    expect(await dispositionOf(publicUrl())).toBeNull();
    expect(await dispositionOf(publicUrl({ transform: {} }))).toBeNull();
    // The server sends WebP, even if another format was uploaded.
    expect(await dispositionOf(publicUrl(options))).toBe('attachment; filename="me.webp"');
    expect(await dispositionOf(publicUrl({ download: true }))).toBe('attachment; filename="avatar.webp"');
    const plain = (await documents.createSignedUrl(path, 60)).data!.signedUrl;
    expect(plain).toMatch(new RegExp(`^${app.url}/storage/v1/object/sign/documents/${path}\\?token=[^&]+$`));
    expect(await dispositionOf(plain)).toBe('attachment; filename="first-aid.pdf"');
    const named = await documents.createSignedUrl(path, 60, { ...options, transform: {} });
    expect(named.data!.signedUrl).toMatch(/\?token=[^&]+&download=me\.jpg&cacheNonce=7$/);
    expect(await dispositionOf(named.data!.signedUrl)).toBe('attachment; filename="me.pdf"');
    const [one] = (await documents.createSignedUrls([path], 60, options)).data!;
    expect(one).toMatchObject({ error: null, path });
    expect(await dispositionOf(one!.signedUrl)).toBe('attachment; filename="me.pdf"');
  });
});

test('opens public buckets at the public address, private ones only for the owner [FILE-2a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const picture = await makePicture({ width: 60, height: 40 });
  const metadata = { alt: '', isConsentConfirmed: true };
  for (const [bucket, status] of [
    ['avatars', 200],
    ['gallery', 200],
    ['documents', 404],
    ['attachments', 404],
  ] as const) {
    const path = `${coach.userId}/${bucket === 'avatars' ? 'avatar' : 'court'}`;
    const objects = storageOf(app.url, coach).from(bucket);
    expect((await objects.upload(path, picture, { metadata })).error, bucket).toBeNull();
    expect((await fetch(objects.getPublicUrl(path).data.publicUrl)).status, bucket).toBe(status);
    expect((await objects.download(path)).data!.type, bucket).toMatch(/^image\//);
  }
});

describe('refusing', () => {
  const refused = async (call: PromiseLike<{ error: unknown }>) => (await call).error;

  test('reports each error with its status, whether the client returns or throws it', async () => {
    const { person, documents, avatars, path, face } = await openBuckets();
    const missing = `${person.userId}/missing`;
    const large = Buffer.alloc(uploadLimits.maxBytes + 1);
    const storage = storageOf(app.url, person);
    const refusals: [number, string, PromiseLike<{ error: unknown }>][] = [
      [404, 'Bucket not found', storage.from('no-bucket').upload(path, pdf)],
      [404, 'Bucket not found', storage.from('no-bucket').list()],
      [404, 'Object not found', documents.download(missing)],
      [404, 'Object not found', documents.download(missing).asStream()],
      [404, 'Object not found', documents.info(missing)],
      [404, 'Object not found', documents.update(missing, pdf)],
      [404, 'Object not found', documents.createSignedUrl(missing, 60)],
      [409, 'The resource already exists', avatars.upload(face, await makePicture())],
      [413, 'larger than 8 MB', documents.upload(missing, large)],
      [415, 'files of this kind', documents.upload(missing, Buffer.from('Text'))],
      [400, 'A path must consist of your id and a name', documents.upload(`${person.userId}/a b`, pdf)],
    ];
    for (const [status, message, call] of refusals) {
      const error = await refused(call);
      expect(error, message).toBeInstanceOf(StorageApiError);
      expect(error, message).toMatchObject({ status, statusCode: String(status) });
      expect((error as StorageApiError).message).toContain(message);
    }
    expect(await documents.exists(missing)).toMatchObject({ data: false, error: { status: 404 } });
    expect((await documents.remove([missing])).data).toEqual([]);
    const throwing = storageOf(app.url, person).from('documents').throwOnError();
    await expect(throwing.download(missing)).rejects.toThrow('Object not found');
    await expect(throwing.exists(missing)).rejects.toMatchObject({ status: 404 });
    await expect(throwing.upload(path, pdf)).rejects.toThrow('The resource already exists');
  });

  test('refuses each unsupported call and names it in the error [FILE-2b]', async () => {
    const { person, documents, path } = await openBuckets();
    const storage: StorageClient = storageOf(app.url, person);
    const elsewhere = { destinationBucket: 'attachments' };
    const refusals: [string, PromiseLike<{ error: unknown }>][] = [
      ['Moving objects', documents.move(path, `${person.userId}/b`, elsewhere)],
      ['Copying objects', documents.copy(path, `${person.userId}/b`, elsewhere)],
      ['Signed uploads', documents.createSignedUploadUrl(path)],
      ['Signed uploads', documents.uploadToSignedUrl(path, 'token', pdf)],
      ['This kind of listing', documents.listV2({ prefix: person.userId })],
      ['Image transformations', documents.createSignedUrl(path, 60, { transform: { width: 10 } })],
      ['Image transformations', documents.download(path, { transform: { width: 10 } })],
      ['Buckets cannot be listed or changed', storage.listBuckets()],
      ['Buckets cannot be listed or changed', storage.getBucket('documents')],
      ['Buckets cannot be listed or changed', storage.createBucket('more', { public: true })],
      ['Buckets cannot be listed or changed', storage.updateBucket('documents', { public: true })],
      ['Buckets cannot be listed or changed', storage.emptyBucket('documents')],
      ['Buckets cannot be listed or changed', storage.deleteBucket('documents')],
      ['Analytics buckets', storage.analytics.listBuckets()],
      ['Vector buckets', storage.vectors.listBuckets()],
    ];
    for (const [message, call] of refusals) {
      const error = await refused(call);
      expect(error, message).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    }
    expect((await documents.exists(path)).data).toBe(true);
  });
});

test('refuses to move, copy or transform objects, and says why [FILE-2b]', async () => {
  const coach = await app.signIn('coach');
  const avatars = storageOf(app.url, coach).from('avatars');
  const path = `${coach.userId}/avatar`;
  await avatars.upload(path, await makePicture());
  expect((await avatars.move(path, `${coach.userId}/b`)).error?.message).toContain(
    'Moving objects is not supported',
  );
  expect((await avatars.copy(path, `${coach.userId}/b`)).error?.message).toContain(
    'Copying objects is not supported',
  );
  const { publicUrl } = avatars.getPublicUrl(path).data;
  const transform = { width: 5_000 };
  expect((await avatars.createSignedUrl(path, 60, { transform })).error?.message).toContain('not supported');
  expect((await avatars.download(path, { transform })).error?.message).toContain('not supported');
  const rendered = await fetch(avatars.getPublicUrl(path, { transform }).data.publicUrl);
  expect([rendered.status, await rendered.text()]).toEqual([400, expect.stringContaining('not supported')]);
  expect((await fetch(`${publicUrl}?width=5000`)).status).toBe(400);
  expect((await fetch(`${publicUrl}?size=5000`)).status).toBe(400);
});
