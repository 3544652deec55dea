import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: Assertion[] }} TestFile
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: Try[] }} Spec
 * @typedef {{ status: string, results?: { error?: { message?: string } }[] }} Try
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 */

/**
 * Lists the tests of vitest's JSON report that did not pass, each with its error. A file that failed without a failed
 * test is listed as well.
 * @param {{ testResults?: TestFile[] } | undefined} report
 * @returns {string[]}
 */
export function listFailedTests(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const names = file.assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(
        ({ fullName, status, failureMessages }) => `${fullName} (${status})${quote(failureMessages?.[0])}`,
      );
    if (names.length === 0 && file.status === 'failed') return [`${file.name} did not load`];
    return names.map((name) => `${file.name}: ${name}`);
  });
}

/**
 * Lists the browser tests of Playwright's JSON report that did not pass, even when repeated, each with its error.
 * @param {Suite | undefined} suite
 * @returns {string[]}
 */
export function listFailedSpecs(suite) {
  return listSpecs(suite, ({ ok, tests }) => !ok || tests.some(({ status }) => status === 'skipped'));
}

/**
 * Lists the browser tests of Playwright's JSON report that passed only when repeated, each with its first error.
 * @param {Suite | undefined} suite
 * @returns {string[]}
 */
export function listFlakySpecs(suite) {
  return listSpecs(suite, ({ tests }) => tests.some(({ status }) => status === 'flaky'));
}

/**
 * @param {Suite | undefined} suite
 * @param {(spec: Spec) => boolean} isListed
 * @returns {string[]}
 */
function listSpecs(suite, isListed) {
  const own = (suite?.specs ?? []).filter(isListed);
  return [
    ...own.map(({ title, file, line, tests }) => {
      const results = tests.flatMap((one) => one.results ?? []);
      const thrown = results.find(({ error }) => error)?.error;
      return `${file}:${line}: ${title}${quote(thrown?.message)}`;
    }),
    ...(suite?.suites ?? []).flatMap((inner) => listSpecs(inner, isListed)),
  ];
}

/**
 * Quotes the error and the line of our own test, because a log may keep only the end of a run.
 * @param {string | undefined} thrown
 */
function quote(thrown) {
  if (!thrown) return '';
  const lines = stripVTControlCharacters(thrown).split('\n').filter(Boolean);
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  const where = lines.find((line) => /^\s+at .*\.(test|spec|test-support)\.tsx?:/.test(line));
  const what = lines.slice(0, stack < 0 ? 8 : Math.min(stack, 8));
  return [...what, ...(where ? [where] : [])].map((line) => `\n      ${line.trim()}`).join('');
}
