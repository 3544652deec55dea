import { expect, test } from 'vitest';
import { bankDetailsInput, formatSortCode, maskAccountNumber, maskSortCode } from './rules.ts';

test("groups a sort code's digits in pairs while it is typed or deleted", () => {
  const typed = ['', '1', '12', '123', '1234', '12345', '123456'].map(formatSortCode);
  expect(typed).toEqual(['', '1', '12', '12-3', '12-34', '12-34-5', '12-34-56']);
  expect(formatSortCode('12-')).toBe('12');
  expect(formatSortCode('12 34 56')).toBe('12-34-56');
  expect(formatSortCode('1234567')).toBe('12-34-56-7');
});

test('strips separators; masks all but the last 4 account and 2 sort code digits [BANK-2]', () => {
  const typed = { accountName: '  Casey   O’Neil ', sortCode: ' 08–99 99', accountNumber: '6637 4958' };
  expect(bankDetailsInput.parse(typed)).toEqual({
    accountName: "Casey O'Neil",
    sortCode: '089999',
    accountNumber: '66374958',
    recipientType: 'Individual',
    bankCountry: 'GB',
    currency: 'GBP',
  });
  expect([maskAccountNumber('66374958'), maskSortCode('123456')]).toEqual(['••••4958', '••-••-56']);
});
