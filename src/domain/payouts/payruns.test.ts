import { expect, test } from 'vitest';
import { defaultReference, paymentReference, payrunFileName } from './payruns.ts';

test('accepts only references that are safe for banks and spreadsheets', () => {
  for (const good of ['COACHING NOV 26', '1', 'A&B-C.D/E', '123456789012345678']) {
    expect(paymentReference.parse(good)).toBe(good);
  }
  for (const bad of [
    '',
    ' ',
    '=1+1',
    '+44',
    '-5',
    '@home',
    '1234567890123456789',
    'Déjà',
    'a,b',
    'a"b',
    'a\nb',
  ]) {
    expect(paymentReference.safeParse(bad).success, bad).toBe(false);
  }
});

test("derives a default reference and a file name from a payrun's id", () => {
  const payrunId = '1a2b3c4d-0000-4000-8000-000000000000';
  expect(paymentReference.parse(defaultReference(payrunId))).toBe('PAYRUN 1A2B3C4D');
  expect(payrunFileName(payrunId)).toBe('payrun-1a2b3c4d.csv');
});
