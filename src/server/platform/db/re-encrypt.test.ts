import { createECDH, randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { createApp } from '#server/app.ts';
import { encryptedFactors } from '#server/auth/two-step/factors.ts';
import { encryptedTables as tables } from '#server/encrypted-tables.ts';
import { storageOf } from '#server/storage/pictures.test-support.ts';
import { codeOf, type Factor } from '#server/test-support/authenticator.test-support.ts';
import { runProgram } from '#server/test-support/built-programs.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callAuth, callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitDocument } from '#server/verification/verification.test-support.ts';
import { type DataKeys, encryptText } from '../encryption.ts';
import { listen } from '../http/listen.ts';
import { createLog } from '../log.ts';
import { countRowsWithOldKeys, reEncryptTable } from './re-encrypt.ts';

const randomKey = () => randomBytes(32).toString('hex');
const oldKey = randomKey();
const newKey = randomKey();

let coach: Someone;
let admin: Someone;
let twoStep: Someone;
let factorId: string;
let secret: string;
let payrunId: string;
const app = setUpTestApp({ env: { DATA_KEY: `${oldKey},${newKey}` } });
beforeAll(async () => {
  const club = await openClub(app);
  ({ coach } = club);
  [admin, twoStep] = await Promise.all([app.signIn('admin'), app.signIn('customer')]);
  const details = { accountName: 'Casey Coach', sortCode: '107999', accountNumber: '88837491' };
  expect((await app.call(coach, payoutsApi.saveBankDetails, details)).status).toBe(200);

  const slotId = await club.publish();
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  await club.putAt(slotId, -120);
  const created = await app.call(admin, payoutsApi.createPayrun, { bookingIds: [bookingId] });
  expect(created.error).toBeUndefined();
  ({ payrunId } = created.body.payrun);

  const enrolled = await app.auth<Factor>(twoStep, '/factors', { body: { factor_type: 'totp' } });
  factorId = enrolled.body.id;
  secret = enrolled.body.totp.secret;

  await openFamily(app).saveCare(twoStep, twoStep.userId);

  expect((await submitDocument(app, coach, { number: 'LTA-42' })).error).toBeUndefined();

  const subscribed = await app.call(coach, pushApi.subscribe, {
    endpoint: 'https://push.example/send/of-the-coach',
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  });
  expect(subscribed.error).toBeUndefined();
});

const run = (program: 'admin' | 'audit', args: string[], dataKey: string) =>
  runProgram(program, args, {
    ...process.env,
    DATABASE_URL: app.databaseUrl,
    DATA_KEY: dataKey,
    STRIPE_SECRET_KEY: '',
  });

/** Serves the same database over HTTP, as a process started with these keys would. */
async function serveWith(dataKeys: DataKeys) {
  const parts = { db: app.db, readDb: app.db, cards: app.cards, log: createLog('silent') };
  const config = { ...app.config, dataKeys };
  const served = await listen(createApp({ ...parts, config }).fetch, { port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${served.port}`, close: served.close };
}

/**
 * Reads all encrypted data through the API: bank details, a payment file, whether a sign-in code is accepted, whether
 * push is on, a document with its file, and care details.
 */
async function readEncrypted(url: string) {
  const { id: challenge_id } = (await callAuth(url, twoStep, `/factors/${factorId}/challenge`)).body;
  // Each code works only once, so the last time step used is reset before every attempt.
  await app.db.updateTable('factors').set({ lastStep: 0 }).execute();
  const code = codeOf(secret);
  const verified = await callAuth(url, twoStep, `/factors/${factorId}/verify`, {
    body: { challenge_id, code },
  });
  return {
    details: (await callEndpoint(url, coach, payoutsApi.getBankDetails, {})).body.bankDetails
      ?.maskedAccountNumber,
    rows: (await callEndpoint(url, admin, payoutsApi.getPayrunCsvRows, { payrunId })).body,
    codeStatus: verified.status,
    isPushOn: (await callEndpoint(url, coach, pushApi.getPush, {})).body.push?.isOn,
    ...(await readDocument(url)),
    care: (await callEndpoint(url, twoStep, careApi.getCare, { participantId: twoStep.userId })).body.care,
  };
}

/** The number and the file of the coach's document; undefined if a key is missing. */
async function readDocument(url: string) {
  const { trustFile } = (await callEndpoint(url, coach, documentsApi.getMine, {})).body;
  const document = trustFile?.kinds.find(({ kind }) => kind === 'insurance')?.documents[0];
  const { path } = await app.db.selectFrom('storageObjects').select('path').executeTakeFirstOrThrow();
  const { data } = await storageOf(url, coach).from('documents').download(path);
  return { number: document?.number, file: await data?.text() };
}

test('rotates the data key while the server runs, and retires the old key [VERIFY-8a]', async () => {
  const before = await readEncrypted(app.url);
  expect(before).toMatchObject({ details: '••••7491', codeStatus: 200, isPushOn: true, care: plainCare });
  expect(before).toMatchObject({ number: 'LTA-42', file: expect.stringContaining('%PDF') });
  expect(JSON.stringify(before.rows)).toContain('88837491');

  // Two processes: the new key is second in one and first in the other.
  const renewed = await serveWith([newKey, oldKey]);
  expect(await readEncrypted(renewed.url)).toEqual(before);
  expect(await countRowsWithOldKeys(app.db, [newKey, oldKey], tables)).toEqual([
    { table: 'factors', rows: 1 },
    { table: 'push_subscriptions', rows: 1 },
    { table: 'participant_care', rows: 1 },
    { table: 'storage_objects', rows: 1 },
    { table: 'coach_documents', rows: 1 },
    { table: 'coach_bank_details', rows: 1 },
    { table: 'payrun_recipients', rows: 1 },
  ]);
  const audited = await run('audit', [], `${newKey},${oldKey}`);
  expect(audited).toMatchObject({ code: 0 });
  expect(audited.stdout).toContain('coach_bank_details: 1 row is encrypted with an earlier DATA_KEY');
  expect(audited.stdout).toContain('STRIPE_SECRET_KEY is not set, so nothing was compared with Stripe');

  const blind = await run('admin', ['re-encrypt'], newKey);
  expect(blind).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add their key to DATA_KEY'),
  });
  expect(await readEncrypted(renewed.url)).toEqual(before);

  const output = await run('admin', ['re-encrypt'], `${newKey},${oldKey}`);
  expect(output).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      'factors: 1 re-encrypted',
      'push_subscriptions: 1 re-encrypted',
      'participant_care: 1 re-encrypted',
      'storage_objects: 1 re-encrypted',
      'coach_documents: 1 re-encrypted',
      'coach_bank_details: 1 re-encrypted',
      'payrun_recipients: 1 re-encrypted',
      'Everything is encrypted with the first key in DATA_KEY.\n',
    ].join('\n'),
  });
  expect(await countRowsWithOldKeys(app.db, [newKey], tables)).toEqual([]);
  for (const url of [app.url, renewed.url]) expect(await readEncrypted(url)).toEqual(before);
  const alone = await serveWith([newKey]);
  expect(await readEncrypted(alone.url)).toEqual(before);
  const outdated = await serveWith([oldKey]);
  expect(await readEncrypted(outdated.url)).toMatchObject({
    details: undefined,
    isPushOn: undefined,
    care: undefined,
  });
  await Promise.all([renewed, alone, outdated].map(({ close }) => close()));
}, 120_000);

test('re-encrypts each row once in two concurrent runs and skips unreadable rows', async () => {
  const coaches = await app.db
    .insertInto('users')
    .values(
      Array.from({ length: 250 }, (_, n) => ({ email: `many-${n}@re-encrypt.example`, passwordHash: 'x' })),
    )
    .returning('userId')
    .execute();
  await app.db
    .insertInto('factors')
    .values(
      coaches.map(({ userId }, n) => ({
        userId,
        encryptedSecret: encryptText(
          [n === 7 ? randomKey() : newKey],
          'SECRET',
          `authenticator app of ${userId}`,
        ),
      })),
    )
    .execute();
  const next: DataKeys = [oldKey, newKey];
  const [first, second] = await Promise.all([1, 2].map(() => reEncryptTable(app.db, next, encryptedFactors)));
  expect(first!.reEncrypted + second!.reEncrypted).toBe(250);
  expect(await countRowsWithOldKeys(app.db, next, [encryptedFactors])).toEqual([
    { table: 'factors', rows: 1 },
  ]);
  expect(await reEncryptTable(app.db, next, encryptedFactors)).toEqual({
    table: 'factors',
    reEncrypted: 0,
    unreadable: 1,
  });

  const { payrunId, accountNumberEncrypted } = await app.db
    .selectFrom('payrunRecipients')
    .selectAll()
    .executeTakeFirstOrThrow();
  const forged = encryptText([newKey], '12345678', `coach_bank_details.account_number:${coach.userId}`);
  for (const change of [{ accountNumberEncrypted: forged }, { amountCents: 1 }, { accountNumberEncrypted }]) {
    const changing = app.db
      .updateTable('payrunRecipients')
      .set(change)
      .where('payrunId', '=', payrunId)
      .execute();
    await expect(changing, JSON.stringify(change)).rejects.toThrow('append-only');
  }
});

test('keeps browsers signed in across processes with different keys', async () => {
  const renewed = await serveWith([newKey, oldKey]);
  const { email } = await app.signIn('customer');
  const { refresh_token } = await app.openSession(email);
  const refresh = (url: string) =>
    callAuth(url, null, '/token?grant_type=refresh_token', { body: { refresh_token } });
  const [first, second] = [await refresh(app.url), await refresh(renewed.url)];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.refresh_token).toBe(first.body.refresh_token);
  await renewed.close();
});
