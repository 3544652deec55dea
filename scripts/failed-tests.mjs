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
 * Names of the tests that did not pass, or only on a second try, in a JSON report of Playwright.
 * @param {Suite | undefined} suite
 * @returns {string[]}
 */
export function listFailedSpecs(suite) {
  const own = (suite?.specs ?? []).flatMap(({ title, file, line, ok, tests }) =>
    ok && tests.every(({ status }) => status === 'expected') ? [] : [`${file}:${line}: ${title}`],
  );
  return [...own, ...(suite?.suites ?? []).flatMap(listFailedSpecs)];
}
