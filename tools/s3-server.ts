import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const region = 'eu-west-2';
const accessKeyId = 'AKIATESTTESTTEST';
const secretAccessKey = 'test/secret+key';
const bucket = 'pictures';

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Starts a stand-in for S3 with the operations that the app uses: put, get, delete and list (version 2, 100 keys a
 * page). It checks the signature of every request (AWS Signature Version 4) with the hash of its body, and answers 403
 * to a wrong signature. `control.delayMs` makes it slow, `control.isFull` makes it refuse to store, `control.sendsHalf`
 * makes it stop in the middle of an object, and `control.locked` names the objects that it refuses to delete.
 */
export async function startS3Server() {
  const objects = new Map<string, { bytes: Buffer; type: string; changedAt: Date }>();
  const control = { delayMs: 0, isFull: false, sendsHalf: false, locked: new Set<string>() };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (control.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, control.delayMs));
    const url = new URL(request.url ?? '/', 'http://s3');
    const fail = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    if (!isSigned(request, url, body)) return fail(403, 'SignatureDoesNotMatch');
    const [, bucketName, ...rest] = url.pathname.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    if (bucketName !== bucket) return fail(404, 'NoSuchBucket');
    if (request.method === 'GET' && key === '') {
      return response.writeHead(200, { 'content-type': 'application/xml' }).end(list(url.searchParams));
    }
    if (request.method === 'PUT') {
      if (control.isFull) return fail(507, 'XMinioStorageFull');
      objects.set(key, {
        bytes: body,
        type: request.headers['content-type'] ?? 'binary/octet-stream',
        changedAt: new Date(),
      });
      return response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
    }
    if (request.method === 'DELETE') {
      if (control.locked.has(key)) return fail(403, 'AccessDenied');
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (request.method !== 'GET') return fail(405, 'MethodNotAllowed');
    if (!found) return fail(404, 'NoSuchKey');
    response.writeHead(200, { 'content-type': found.type, 'content-length': found.bytes.length });
    if (control.sendsHalf) return response.write(found.bytes.subarray(0, found.bytes.length / 2));
    return response.end(found.bytes);
  });

  function list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, 100);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) => {
      const { bytes, changedAt } = objects.get(key)!;
      return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const next = isTruncated
      ? `<NextContinuationToken>${escapeXml(page.at(-1)!)}</NextContinuationToken>`
      : '';
    return `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    control,
    objects,
    /** The app's environment variables for this stand-in. */
    env: {
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/**
 * Checks a request's signature as AWS documents it ("Authenticating Requests: Using the Authorization Header"), and
 * that the signed hash is the body's.
 */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (!credential || !signedHeaders || !signature) return false;
  const [keyId, date = '', ...scope] = credential.split('/');
  const time = String(request.headers['x-amz-date'] ?? '');
  const bodyHash = String(request.headers['x-amz-content-sha256'] ?? '');
  const isFresh = Math.abs(Date.now() - readTime(time)) < 15 * 60_000;
  if (keyId !== accessKeyId || scope.join('/') !== `${region}/s3/aws4_request` || !isFresh) return false;
  if (!time.startsWith(date) || bodyHash !== sha256(body)) return false;
  const names = signedHeaders.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.includes(name))) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    request.method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, `${date}/${scope.join('/')}`, sha256(canonical)].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** "20261122T170000Z" in milliseconds since 1970. */
const readTime = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
