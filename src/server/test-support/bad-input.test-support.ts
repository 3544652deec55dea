import { randomUUID } from 'node:crypto';
import { addDays, wallTimeOf } from '#domain/time.ts';
import type { JsonSchema } from '#server/platform/openapi/json-schema.ts';

/** One field of a call, as in the API description. */
export type Field = {
  name: string;
  location: 'path' | 'query' | 'body';
  required: boolean;
  schema: JsonSchema;
};

/** Values for fields whose schema is not specific enough to generate a valid value. */
const samples: Record<string, unknown> = {
  paymentMethodId: 'pm_nobody',
  disputeId: 'du_nobody',
  email: 'somebody@test.example',
  filePath: `${randomUUID()}/a`,
  sortCode: '089999',
  accountNumber: '66374958',
  slotIds: randomUUID(),
  ...{ dateOfBirth: '2016-05-28', notes: null, collection: null },
  contacts: [{ name: 'Alex', telephone: '0113 496 0000', relation: 'Mother' }],
  startsAt: '22:00',
  submittedAt: '2026-11-23T10:00:00Z',
  endsAt: '06:30',
  endpoint: 'https://push.example/send/somebody',
  p256dh: 'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
  auth: 'c29tZWJvZHkncyBzZWNyZQ',
};

/** A value that a field accepts. `ids` holds the ids of the caller's own records, by field name. */
export function sampleOf(
  { name, schema }: Pick<Field, 'name' | 'schema'>,
  ids: Record<string, string>,
): unknown {
  if (ids[name]) return ids[name];
  if (name in samples) return samples[name];
  if (schema.anyOf) return sampleOf({ name, schema: schema.anyOf[0] ?? {} }, ids);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'uuid') return randomUUID();
  if (schema.format === 'date') return addDays(wallTimeOf(Date.now()).date, 20);
  const [type] = [schema.type].flat();
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array')
    return schema.minItems ? [sampleOf({ name: '', schema: schema.items ?? {} }, ids)] : [];
  if (type !== 'object') return 'Something'.repeat(Math.ceil(Number(schema.minLength ?? 1) / 9));
  const properties = Object.entries(schema.properties ?? {});
  const filled = properties.filter(([inner]) => ids[inner] || schema.required?.includes(inner));
  return Object.fromEntries(filled.map(([inner, of]) => [inner, sampleOf({ name: inner, schema: of }, ids)]));
}

const textOf = (size: number) => 'long '.repeat(size / 5);

/**
 * Values of the wrong type for a field, some of which a lenient field may accept. In a query string, every value is
 * text; a list represents a repeated name.
 */
export function wrongValuesFor({ location, schema }: Field): unknown[] {
  const types = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)].flat();
  if (location !== 'body') {
    const several = location === 'query' ? [['a', 'b']] : [];
    return ['nonsense', '-1', '1.5', '1e400', '2027-02-30', "' or 1=1 --", '../..', '%', ...several];
  }
  const inside = schema.type === 'array' ? [[null], [{}], [[]], [1.5], [-1], ['2027-02-30']] : [];
  const values = [
    'nonsense',
    '',
    ' ',
    -1,
    1.5,
    1e308,
    2 ** 53,
    true,
    {},
    [],
    [[[]]],
    '2027-02-30',
    ...inside,
  ];
  return types.includes('null') ? values : [null, ...values];
}

/** Values that no text or list field accepts: far too long, or with characters that cannot be stored. */
export function impossibleValuesFor({ location, schema }: Field): unknown[] {
  if (schema.type === 'array')
    return [Array.from({ length: 3000 }, () => '2027-03-28'), ['a\0b'], ['\ud800']];
  if (location === 'path') return ['x'.repeat(4000), 'a\0b'];
  if (location === 'query') return [textOf(6000), 'a\0b'];
  return [textOf(20_000), 'a\0b', '\ud800', { '\0': 1 }];
}
