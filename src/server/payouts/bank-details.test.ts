import { expect, test } from 'vitest';
import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { decryptBankNumbers } from './bank-details.ts';

const app = setUpTestApp();
const coach = beforeTests(() => app.signIn('coach'));

// Valid pairs from Pay.UK's test vectors (VocaLink, "Validating account numbers").
const first = { accountName: "Casey O'Neil & Sons", sortCode: '08-99-99', accountNumber: '66 37 49 58' };
const second = { accountName: 'Casey Coach', sortCode: '202959', accountNumber: '63748472' };

const save = (who: Someone | null, input: Parameters<typeof app.call>[2]) =>
  app.call(who, payoutsApi.saveBankDetails, input as typeof first);
const read = async (who: Someone) => (await app.call(who, payoutsApi.getBankDetails, {})).body.bankDetails;
const readRow = (coachId: string) =>
  app.db.selectFrom('coachBankDetails').selectAll().where('coachId', '=', coachId).executeTakeFirstOrThrow();

test('returns null before bank details are saved [BANK-3]', async () => {
  const answer = await app.call(await app.signIn('coach'), payoutsApi.getBankDetails, {});
  expect([answer.status, answer.body]).toEqual([200, { bankDetails: null }]);
});

test('saves and replaces bank details, and masks the sort code and account number [BANK-1, BANK-2]', async () => {
  const saved = await save(coach, first);
  expect(saved.status).toBe(200);
  expect(saved.body.bankDetails).toMatchObject({
    accountName: "Casey O'Neil & Sons",
    maskedSortCode: '••-••-99',
    maskedAccountNumber: '••••4958',
    recipientType: 'Individual',
    bankCountry: 'GB',
    currency: 'GBP',
  });
  expect(await read(coach)).toEqual(saved.body.bankDetails);
  expect(decryptBankNumbers(app.config.dataKeys, await readRow(coach.userId))).toEqual({
    sortCode: '089999',
    accountNumber: '66374958',
  });
  const changed = await save(coach, { ...second, recipientType: 'Business' });
  expect(changed.body.bankDetails).toMatchObject({
    accountName: 'Casey Coach',
    maskedSortCode: '••-••-59',
    maskedAccountNumber: '••••8472',
    recipientType: 'Business',
  });
  expect(await read(coach)).toEqual(changed.body.bankDetails);
  expect(decryptBankNumbers(app.config.dataKeys, await readRow(coach.userId))).toEqual({
    sortCode: '202959',
    accountNumber: '63748472',
  });
  const everything = JSON.stringify([await readRow(coach.userId), saved.body, changed.body]);
  for (const secret of ['66374958', '089999', '63748472', '202959']) expect(everything).not.toContain(secret);
});

test('audits every change and emails the coach, without the full numbers [BANK-2]', async () => {
  const teller = await app.signIn('coach');
  await save(teller, first);
  await save(teller, second);
  const lines = await app.db
    .selectFrom('auditLog')
    .selectAll()
    .where('subjectId', '=', teller.userId)
    .where('action', 'like', 'bank_details.%')
    .orderBy('auditId')
    .execute();
  expect(lines).toMatchObject([
    { action: 'bank_details.added', actorUserId: teller.userId, before: null },
    {
      action: 'bank_details.changed',
      actorUserId: teller.userId,
      after: { changed: expect.arrayContaining(['accountName', 'accountNumber']) },
    },
  ]);
  const emails = await eventually(async () => {
    const found = await app.emailsTo(teller.email);
    return found.length === 2 ? found : null;
  });
  const subjects = emails.map(({ subject }) => subject).sort();
  expect(subjects).toEqual(['Your bank details were added', 'Your bank details were changed']);
  expect(emails.map(({ text }) => text).join()).toContain('••••8472');
  const written = JSON.stringify([lines, emails]);
  for (const secret of ['66374958', '089999', '63748472', '202959']) expect(written).not.toContain(secret);
});

test('asks for the password again before an old session changes bank details', async () => {
  const owner = await app.signIn('coach');
  const before = (await save(owner, first)).body.bankDetails;
  const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
  await app.db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', owner.userId).execute();
  const refused = await save(owner, second);
  expect([refused.status, refused.error!.code, refused.error!.message]).toEqual([
    403,
    'confirmation_required',
    'To do this, please enter your password or a code from your authenticator app again.',
  ]);
  expect(await read(owner)).toEqual(before);
  const confirm = (password: string) =>
    app.auth(owner, '/user', { method: 'PUT', body: { current_password: password } });
  expect((await confirm('not-the-password')).status).toBe(400);
  expect((await save(owner, second)).status).toBe(403);
  expect((await confirm('correct-horse-battery')).status).toBe(200);
  expect((await save(owner, second)).body.bankDetails.maskedAccountNumber).toBe('••••8472');
});

test('refuses mismatched numbers, naming both fields, and keeps the saved details [BANK-2]', async () => {
  const careful = await app.signIn('coach');
  const before = (await save(careful, first)).body.bankDetails;
  // Pay.UK's document lists these pairs as invalid.
  for (const [sortCode, accountNumber] of [
    ['08-99-99', '66374959'],
    ['107999', '88837493'],
    ['203099', '66831036'],
    ['203099', '58716970'],
    ['118765', '64371388'],
  ] as const) {
    const wrong = await save(careful, { ...first, sortCode, accountNumber });
    expect([wrong.status, accountNumber]).toEqual([422, accountNumber]);
    expect(Object.keys(wrong.error!.fields!)).toEqual(['sortCode', 'accountNumber']);
    expect(wrong.error!.message).toContain("don't match");
  }
  expect(await read(careful)).toEqual(before);
  expect((await readRow(careful.userId)).updatedAt).toBe(before.updatedAt);
  // Each of these pairs is valid by a different method of Pay.UK's document.
  for (const [sortCode, accountNumber] of [
    ['107999', '88837491'],
    ['118765', '64371389'],
    ['772798', '99345694'],
  ] as const) {
    expect([accountNumber, (await save(careful, { ...first, sortCode, accountNumber })).status]).toEqual([
      accountNumber,
      200,
    ]);
  }
});

const expectRefused = async (field: string, value: string) => {
  const answer = await save(coach, { ...first, [field]: value });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.error!.fields!)).toEqual([field]);
  expect(answer.error!.fields![field]).toMatch(/\.$/);
};

test.each([
  ['accountNumber', '6637495'],
  ['accountNumber', '663749580'],
  ['accountNumber', '6637495O'],
  ['accountNumber', '٦٦٣٧٤٩٥٨'],
  ['sortCode', '08999'],
  ['sortCode', '0899999'],
  ['sortCode', '08/99/99'],
])('refuses the malformed %s %j [BANK-2]', expectRefused);

test.each([
  ['accountName', ''],
  ['accountName', '   '],
  ['accountName', '=1+1'],
  ['accountName', '+44 Casey'],
  ['accountName', '-Casey'],
  ['accountName', '@Casey'],
  ['accountName', 'Casey "C" Coach'],
  ['accountName', 'Zoë Coach'],
  ['accountName', 'Casey\tCoach;'],
  ['accountName', 'C'.repeat(71)],
  ['recipientType', 'Charity'],
  ['bankCountry', 'FR'],
  ['currency', 'EUR'],
])('refuses %s %j with a message for that field', expectRefused);

test('shows coaches only their own bank details; refuses to decrypt a copied row [BANK-2, ROLE-2]', async () => {
  const [one, other] = [await app.signIn('coach'), await app.signIn('coach')];
  await save(one, first);
  expect(await read(other)).toBeNull();
  await save(other, second);
  expect((await read(one))!.maskedAccountNumber).toBe('••••4958');
  for (const who of [await app.signIn('customer'), await app.signIn('admin'), null]) {
    const status = who ? 403 : 401;
    expect((await app.call(who, payoutsApi.getBankDetails, {})).status).toBe(status);
    expect((await save(who, first)).status).toBe(status);
  }
  const { accountNumberEncrypted, sortCodeEncrypted } = await readRow(one.userId);
  const copied = { coachId: other.userId, accountNumberEncrypted, sortCodeEncrypted };
  expect(() => decryptBankNumbers(app.config.dataKeys, copied)).toThrow();
});
