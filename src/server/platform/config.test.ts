import { expect, test } from 'vitest';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { readConfig } from './config.ts';

const secrets = generateSecrets();
const read = (env: Record<string, string>) =>
  readConfig({
    ...secrets,
    DATABASE_URL: 'postgres://localhost/club',
    SMTP_URL: 'smtp://localhost',
    PUBLIC_URL: 'https://club.example',
    ...env,
  });

test('reads the push keys, or none if neither is set', () => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = secrets;
  expect(read({}).push).toEqual({
    ...{ publicKey, privateKey },
    subject: 'https://club.example',
    serviceBase: undefined,
  });
  const local = { PUBLIC_URL: 'http://localhost:3000', MAIL_FROM: 'Club <office@club.example>' };
  expect(read(local).push?.subject).toBe('mailto:office@club.example');
  expect(read({ VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '' }).push).toBeUndefined();
});

test('refuses a bounce mailbox that leaves no room for the return path', () => {
  expect(read({ BOUNCE_ADDRESS: `${'b'.repeat(17)}@club.example` }).email.bounceAddress).toHaveLength(30);
  expect(() => read({ BOUNCE_ADDRESS: `${'b'.repeat(18)}@club.example` })).toThrow(
    /BOUNCE_ADDRESS must have at most 17 characters before the @/,
  );
});

test('refuses a sender without an address, and uses the default for an empty sender', () => {
  for (const MAIL_FROM of ['office@club.example', '"Club <3" <office@club.example>']) {
    expect(read({ MAIL_FROM }).email.from).toBe(MAIL_FROM);
  }
  expect(read({ MAIL_FROM: ' ' }).email.from).toMatch(/<no-reply@localhost>$/);
  expect(() => read({ MAIL_FROM: 'Riverside Sports' })).toThrow(/MAIL_FROM must contain an email address/);
});

test('refuses missing or invalid push keys, and PUSH_SERVICE_BASE in production', () => {
  const refuse = (env: Record<string, string>) => (sentence: RegExp) =>
    expect(() => read(env), JSON.stringify(env)).toThrow(sentence);
  refuse({ VAPID_PUBLIC_KEY: '' })(/VAPID_PUBLIC_KEY is missing: push needs both keys/);
  refuse({ VAPID_PRIVATE_KEY: ' ' })(/VAPID_PRIVATE_KEY is missing: push needs both keys/);
  refuse({ VAPID_PRIVATE_KEY: 'secret' })(/VAPID_PRIVATE_KEY must be 32 bytes as base64url/);
  refuse({ VAPID_PRIVATE_KEY: 'A'.repeat(43) })(/VAPID_PRIVATE_KEY must be a key of the curve P-256/);
  refuse({ VAPID_PUBLIC_KEY: generateSecrets().VAPID_PUBLIC_KEY! })(/does not belong to VAPID_PRIVATE_KEY/);
  refuse({ NODE_ENV: 'production', PUSH_SERVICE_BASE: 'http://127.0.0.1:9' })(
    /PUSH_SERVICE_BASE must not be set in production/,
  );
});

test('reads a folder or a bucket for files and requires both keys of a bucket', () => {
  expect(read({ STORAGE_DIR: '/srv/files' }).storage).toEqual({ kind: 'disk', folder: '/srv/files' });
  expect(read({ DATA_DIR: '/srv/club' }).storage).toEqual({ kind: 'disk', folder: '/srv/club/files' });
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(read({ S3_BUCKET: 'files', ...keys }).storage).toEqual({
    ...{ kind: 's3', bucket: 'files', region: 'us-east-1', endpoint: undefined },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const elsewhere = { S3_REGION: 'eu-west-2', S3_ENDPOINT: 'https://s3.example' };
  expect(read({ S3_BUCKET: 'files', ...keys, ...elsewhere }).storage).toMatchObject({
    ...{ region: 'eu-west-2', endpoint: 'https://s3.example' },
  });
  for (const name of Object.keys(keys)) {
    expect(() => read({ S3_BUCKET: 'files', ...keys, [name]: ' ' })).toThrow(`${name} is missing`);
  }
});
