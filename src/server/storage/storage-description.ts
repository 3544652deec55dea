import { statusByCode } from '#domain/error-statuses.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { bucketNames, pictureTypes } from '#domain/storage/buckets.ts';
import type { DescribedCall } from '#server/platform/openapi/describe-api.ts';
import type { JsonSchema, Schemas } from '#server/platform/openapi/json-schema.ts';
import { type Responses, retryAfter } from '#server/platform/openapi/refusals.ts';
import { errorNames } from './storage-refusal.ts';

const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const owner = '0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55';
const bucket: JsonSchema = {
  type: 'string',
  enum: [...bucketNames],
  description: 'The bucket.',
  examples: ['avatars'],
};
const path: Record<string, JsonSchema> = {
  bucket,
  ownerId: text('The id of the person whose object it is.', owner),
  name: text('The rest of the path: up to four segments of letters, digits, ".", "-" and "_".', 'avatar'),
};
const size = text("For pictures only: one of the bucket's sizes, in pixels.", '128');
const pathText = text('The path below the bucket.', `${owner}/avatar`);
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const expiresIn: JsonSchema = {
  type: 'integer',
  description: 'Required by storage-js, but ignored: an address always works for 60 seconds.',
  examples: [60],
};
const signedUrl = text('The address below /storage/v1.', `/object/sign/documents/${owner}/a?token=t`);
const entry = object({ name: text('The name in its folder.', 'avatar') });
const stored = object({
  Id: text('The id of the object.', owner),
  Key: text('Bucket and path.', `avatars/${owner}/avatar`),
});

type StorageCall = Pick<
  DescribedCall,
  'method' | 'operationId' | 'gate' | 'summary' | 'description' | 'path'
> & {
  parameters: Record<string, JsonSchema>;
  body?: JsonSchema;
  isUpload?: true;
  /** A JSON body, or the file itself. */
  answer: JsonSchema | 'file';
  refusals?: ErrorCode[];
};

const uploadRefusals: ErrorCode[] = [
  ...(['conflict', 'forbidden', 'payload_too_large', 'unsupported_media_type'] as const),
  ...(['unprocessable', 'too_many_requests'] as const),
];

/** The calls of `/storage/v1`, except those that are always refused. */
const storageCalls: StorageCall[] = [
  {
    ...{
      method: 'POST',
      path: '/object/:bucket/:ownerId/:name',
      operationId: 'storage_upload',
      gate: 'signedIn',
    },
    summary: 'Upload a file',
    description:
      "Stores a file below the caller's own id. With the header `x-upsert: true`, the file replaces one of the same name. Pictures are decoded and stored as WebP in the sizes of the bucket.",
    ...{ parameters: path, isUpload: true, answer: stored, refusals: uploadRefusals },
  },
  {
    ...{
      method: 'PUT',
      path: '/object/:bucket/:ownerId/:name',
      operationId: 'storage_update',
      gate: 'signedIn',
    },
    summary: 'Replace a file',
    description: "Replaces one of the caller's own files.",
    ...{ parameters: path, isUpload: true, answer: stored, refusals: uploadRefusals },
  },
  {
    ...{
      method: 'GET',
      path: '/object/:bucket/:ownerId/:name',
      operationId: 'storage_download',
      gate: 'public',
    },
    summary: 'Download a file',
    description: "One of the caller's own files, or one that visitors can see.",
    ...{ parameters: { ...path, size }, answer: 'file' },
  },
  {
    ...{
      method: 'GET',
      path: '/object/public/:bucket/:ownerId/:name',
      operationId: 'storage_public',
      gate: 'public',
    },
    summary: 'Get a public picture',
    description: 'A picture of a coach who can be booked, unless the picture is hidden.',
    ...{ parameters: { ...path, size }, answer: 'file' },
  },
  {
    ...{
      method: 'GET',
      path: '/object/sign/:bucket/:ownerId/:name',
      operationId: 'storage_open',
      gate: 'public',
    },
    summary: 'Open a signed address',
    description: 'The file at a signed address, until its token expires.',
    ...{ parameters: { ...path, size, token: text('The token of the address.', 't') }, answer: 'file' },
  },
  {
    ...{
      method: 'POST',
      path: '/object/sign/:bucket/:ownerId/:name',
      operationId: 'storage_sign',
      gate: 'signedIn',
    },
    summary: 'Sign an address',
    description: "An address that opens one of the caller's own files for 60 seconds.",
    ...{ parameters: path, body: object({ expiresIn }), answer: object({ signedURL: signedUrl }) },
  },
  {
    ...{ method: 'POST', path: '/object/sign/:bucket', operationId: 'storage_sign_many', gate: 'signedIn' },
    summary: 'Sign several addresses',
    description: "Signs addresses for the caller's own files; any other path gets an error in its entry.",
    parameters: { bucket },
    body: object({ expiresIn, paths: list(pathText, 'At most 100.') }),
    answer: list(object({ path: pathText }), 'One entry for each path.'),
  },
  {
    ...{
      method: 'GET',
      path: '/object/info/:bucket/:ownerId/:name',
      operationId: 'storage_info',
      gate: 'public',
    },
    summary: 'Get the details of a file',
    description: 'Size, content type and times of a file that the caller may read.',
    ...{ parameters: path, answer: object({ id: text('The id of the object.', owner) }) },
  },
  {
    ...{ method: 'POST', path: '/object/list/:bucket', operationId: 'storage_list', gate: 'signedIn' },
    summary: 'List a folder',
    description:
      "The caller's own files and folders below `prefix`: the first 100 by name, unless the body says otherwise.",
    parameters: { bucket },
    body: {
      type: 'object',
      properties: {
        prefix: text('The folder.', owner),
        limit: {
          type: 'integer',
          default: 100,
          description: 'The maximum number of entries.',
          examples: [100],
        },
        offset: { type: 'integer', default: 0, description: 'The number of entries to skip.', examples: [0] },
      },
    },
    answer: list(entry, 'Files and folders.'),
  },
  {
    ...{ method: 'DELETE', path: '/object/:bucket', operationId: 'storage_remove', gate: 'signedIn' },
    summary: 'Remove files',
    description:
      "Removes the caller's own files immediately, and their bytes within a day. Returns those that existed.",
    parameters: { bucket },
    body: object({ prefixes: list(pathText, 'At most 100 paths.') }),
    answer: list(entry, 'The removed files.'),
  },
];

/** Lists the `/storage/v1` calls for the API description. */
export function describeStorageCalls(schemas: Schemas): DescribedCall[] {
  const always = object({
    statusCode: text('The HTTP status.', '404'),
    error: text('The name of the error, as in Supabase Storage.', 'not_found'),
    message: text('A sentence for the user.', 'Object not found'),
  });
  const fields: JsonSchema = {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'A sentence for each invalid field, by field name.',
  };
  schemas.add('StorageRefusal', {
    ...always,
    properties: { ...always.properties, fields },
    description: 'The response to a refused storage call, in the form that storage-js reads.',
  });
  return storageCalls.map(({ parameters, answer, refusals = [], isUpload, ...call }) => ({
    ...call,
    description: isUpload ? `${call.description} ${describeUpload}` : call.description,
    path: `/storage/v1${call.path}`,
    parameters: { type: 'object', properties: parameters, required: [] },
    responses: {
      200: answerOf(answer),
      ...describeRefused([
        'bad_request',
        ...(call.body ? ['payload_too_large' as const] : []),
        ...(call.gate === 'signedIn' ? ['unauthenticated' as const] : []),
        'not_found',
        ...refusals,
        'unavailable',
      ]),
    } as Responses,
  }));
}

const describeUpload = `The body is the file (${pictureTypes}; PDF for documents), at most 8 MB, or a form with the fields \`cacheControl\`, \`metadata\` and the file, as storage-js sends it.`;

const answerOf = (answer: JsonSchema | 'file') =>
  answer === 'file'
    ? { description: 'The bytes of the file.' }
    : { description: 'Done.', content: { 'application/json': { schema: answer } } };

function describeRefused(codes: ErrorCode[]): Record<string, unknown> {
  const schema = { $ref: '#/components/schemas/StorageRefusal' };
  const byStatus = codes.map((code) => {
    const status = statusByCode[code];
    const error = errorNames[code] ?? code;
    const example = { statusCode: String(status), error, message: 'A sentence for the user.' };
    const waits = status === 429 || status === 503;
    return [
      status,
      {
        description: `\`${error}\``,
        ...(waits && { headers: { 'Retry-After': retryAfter } }),
        content: { 'application/json': { schema, example } },
      },
    ];
  });
  return {
    ...Object.fromEntries(byStatus),
    default: { description: 'Refused for another reason.', content: { 'application/json': { schema } } },
  };
}
