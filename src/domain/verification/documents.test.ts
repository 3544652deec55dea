import { expect, test } from 'vitest';
import { defaultRecheckOn, refuseDates, refuseRecordCheck, refuseStatusCheck } from './documents.ts';

const today = '2026-11-23';
const dbs = {
  ...({ scheme: 'dbs', level: 'enhanced_barred', workforce: 'child', method: 'original_in_person' } as const),
  ...{ number: '001234567890', issuedOn: '2026-06-01', recheckOn: '2029-06-01' },
};
const fieldOf = (refusal: ReturnType<typeof refuseDates>) => Object.keys(refusal?.fields ?? {})[0] ?? null;

test('asks again 12 months after a status check, 36 after a certificate, 60 after PVG [VERIFY-7c]', () => {
  const seen = { issuedOn: '2026-01-31', seenOn: today };
  const method = 'original_in_person' as const;
  expect(defaultRecheckOn({ ...seen, scheme: 'dbs', method: 'update_service' })).toBe('2027-11-23');
  expect(defaultRecheckOn({ ...seen, scheme: 'dbs', method })).toBe('2029-01-31');
  expect(defaultRecheckOn({ ...seen, scheme: 'access_ni', method })).toBe('2029-01-31');
  expect(defaultRecheckOn({ ...seen, scheme: 'pvg', method })).toBe('2031-01-31');
});

test('refuses a check with an invalid number, level, method or date', () => {
  expect(refuseRecordCheck(dbs, today)).toBeNull();
  const wrong = {
    number: { number: '1234' },
    level: { level: 'pvg' as const },
    issuedOn: { issuedOn: '2026-11-24' },
    recheckOn: { recheckOn: '2026-11-22' },
  };
  for (const [field, change] of Object.entries(wrong)) {
    expect(fieldOf(refuseRecordCheck({ ...dbs, ...change }, today))).toBe(field);
  }
  const pvg = { ...dbs, scheme: 'pvg', level: 'pvg', number: '1234123412341234' } as const;
  expect(refuseRecordCheck(pvg, today)).toBeNull();
  expect(fieldOf(refuseRecordCheck({ ...pvg, method: 'update_service' }, today))).toBe('method');
  expect(fieldOf(refuseRecordCheck({ ...dbs, recheckOn: '2032-01-01' }, today))).toBe('recheckOn');
});

test('refuses documents that have ended, end before they begin or reach too far ahead', () => {
  expect(refuseDates({ issuedOn: today, validUntil: today }, today)).toBeNull();
  expect(fieldOf(refuseDates({ issuedOn: '2025-01-01', validUntil: '2026-11-22' }, today))).toBe(
    'validUntil',
  );
  expect(fieldOf(refuseDates({ issuedOn: '2026-12-02', validUntil: '2026-12-01' }, today))).toBe(
    'validUntil',
  );
  expect(fieldOf(refuseDates({ issuedOn: '2027-12-01', validUntil: '2028-12-01' }, today))).toBe('issuedOn');
  expect(fieldOf(refuseDates({ issuedOn: today, validUntil: '2037-01-01' }, today))).toBe('validUntil');
});

test('refuses a status check of a PVG check, or for another level or workforce', () => {
  const certificate = { kind: 'criminal_record_check', ...dbs } as const;
  const same = { level: 'enhanced_barred', workforce: 'child' } as const;
  expect(refuseStatusCheck(certificate, same)).toBeNull();
  expect(refuseStatusCheck(certificate, { ...same, level: 'enhanced' })?.code).toBe('unprocessable');
  expect(refuseStatusCheck(certificate, { ...same, workforce: 'adult' })?.code).toBe('unprocessable');
  expect(refuseStatusCheck({ ...certificate, scheme: 'pvg' }, same)?.code).toBe('unprocessable');
});
