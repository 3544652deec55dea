/**
 * @typedef {{ fullName: string, status: string }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: Assertion[] }} TestFile
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: { status: string }[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 */

/**
 * Names of the tests that did not pass in a JSON report of vitest, or of the file where none of its tests did fail.
 * @param {{ testResults?: TestFile[] } | undefined} report
 * @returns {string[]}
 */
export function listFailedTests(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const names = file.assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, status }) => `${fullName} (${status})`);
    if (names.length === 0 && file.status === 'failed') return [`${file.name} did not load`];
    return names.map((name) => `${file.name}: ${name}`);
  });
}

/**
 * Names of the browser tests that did not pass in a JSON report of Playwright, not even when they were repeated.
 * @param {Suite | undefined} suite
 * @returns {string[]}
 */
export function listFailedSpecs(suite) {
  return listSpecs(suite, ({ ok, tests }) => !ok || tests.some(({ status }) => status === 'skipped'));
}

/**
 * Names of the browser tests that passed only when they were repeated, in a JSON report of Playwright.
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
    ...own.map(({ title, file, line }) => `${file}:${line}: ${title}`),
    ...(suite?.suites ?? []).flatMap((inner) => listSpecs(inner, isListed)),
  ];
}
