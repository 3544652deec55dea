import { expect, test } from 'vitest';
import { listFailedSpecs, listFailedTests, listFlakySpecs } from './failed-tests.mjs';

const spec = (title: string, status: string) => ({
  title,
  file: 'admin.spec.ts',
  line: 7,
  ok: status !== 'unexpected',
  tests: [{ status }],
});

test('names failed browser tests, and apart from them those that passed when repeated', () => {
  const report = {
    suites: [
      {
        specs: [spec('passes', 'expected'), spec('fails', 'unexpected')],
        suites: [{ specs: [spec('passes the second time', 'flaky'), spec('is left out', 'skipped')] }],
      },
    ],
  };
  expect(listFailedSpecs(report)).toEqual(['admin.spec.ts:7: fails', 'admin.spec.ts:7: is left out']);
  expect(listFlakySpecs(report)).toEqual(['admin.spec.ts:7: passes the second time']);
  expect([listFailedSpecs(undefined), listFlakySpecs(undefined)]).toEqual([[], []]);
});

test('names failed tests of vitest, and files that did not load', () => {
  const passed = { fullName: 'adds up', status: 'passed' };
  const skipped = { fullName: 'is left out', status: 'skipped' };
  const testResults = [
    { name: 'money.test.ts', status: 'passed', assertionResults: [passed, skipped] },
    { name: 'broken.test.ts', status: 'failed', assertionResults: [] },
  ];
  expect(listFailedTests({ testResults })).toEqual([
    'money.test.ts: is left out (skipped)',
    'broken.test.ts did not load',
  ]);
});
