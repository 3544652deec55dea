import { expect, test } from 'vitest';
import { listFailedSpecs, listFailedTests, listFlakySpecs } from './failed-tests.mjs';

const spec = (title: string, status: string) => ({
  title,
  file: 'admin.spec.ts',
  line: 7,
  ok: status !== 'unexpected',
  tests: [{ status }],
});

test('lists failed browser tests, and separately those that passed when repeated', () => {
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

test('quotes the error of a failed test and the line that failed', () => {
  const thrown =
    '\u001b[31mError: expected 1 to be 2\u001b[39m\n    at check (library.js:1:1)\n    at money.test.ts:7:3';
  const failed = { fullName: 'adds up', status: 'failed', failureMessages: [thrown] };
  const file = { name: 'money.test.ts', status: 'failed', assertionResults: [failed] };
  const quoted = '\n      Error: expected 1 to be 2\n      at money.test.ts:7:3';
  expect(listFailedTests({ testResults: [file] })).toEqual([`money.test.ts: adds up (failed)${quoted}`]);
  const results = [{ error: { message: thrown } }, {}];
  const flakySpec = { ...spec('fails once', 'flaky'), tests: [{ status: 'flaky', results }] };
  expect(listFlakySpecs({ specs: [flakySpec] })).toEqual([`admin.spec.ts:7: fails once${quoted}`]);
});

test('lists skipped unit tests and files that did not load', () => {
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
