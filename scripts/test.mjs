import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled, root } from './ensure-installed.mjs';
import { listFailedSpecs, listFailedTests, listFlakySpecs } from './failed-tests.mjs';
import { ensureChromium } from './find-chromium.mjs';

const total = { passed: 0, failed: 0 };
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const flaky = [];
let isComplete = false;
// Even if a step exits early, the count is the last line and includes that failure.
process.on('exit', () => {
  if (!isComplete) total.failed += 1;
  if (flaky.length > 0) console.log(`\nPassed only when repeated:\n  ${flaky.join('\n  ')}`);
  if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
});
ensureInstalled();
process.chdir(root);
const reports = join(root, '.cache', 'test-reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
delete process.env.NODE_ENV;

let chromium = '';
try {
  chromium = ensureChromium();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  addStep('Chromium for the browser tests', false);
}

title('Checks');
// The domain's unit tests run below with all others.
const checks = await runChecks(['unit tests of the domain']);
failures.push(...checks.failures);
add(checks);

title('Server and unit tests');
const vitestReport = join(reports, 'vitest.json');
const vitestStatus = run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
]);
const vitest = readReport(vitestReport);
failures.push(...listFailedTests(vitest));
add(
  withStatus(vitestStatus, {
    passed: vitest?.numPassedTests ?? 0,
    failed: (vitest?.numFailedTests ?? 0) + (vitest?.numPendingTests ?? 0) + (vitest?.numTodoTests ?? 0),
  }),
);

title('Build');
const isBuilt = ensureBuilt();
addStep('build', isBuilt);

if (isBuilt) {
  title('Bundle sizes');
  addStep('bundle sizes', run('tsx', ['scripts/size.ts']) === 0);
}

if (isBuilt && chromium) {
  title('Browser tests');
  const report = join(reports, 'playwright.json');
  const status = run('playwright', ['test', '--reporter=list,json', '--pass-with-no-tests'], {
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const browser = readReport(report);
  failures.push(...listFailedSpecs(browser));
  flaky.push(...listFlakySpecs(browser));
  const stats = browser?.stats;
  add(
    withStatus(status, {
      passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
      failed: (stats?.unexpected ?? 0) + (stats?.skipped ?? 0),
    }),
  );
}

title('Requirement coverage');
addStep(
  'requirement coverage',
  run('tsx', ['scripts/requirements.ts', '--quiet', '--require', 'delivered']) === 0,
);

isComplete = true;
process.exitCode = total.failed > 0 ? 1 : 0;

/** @param {string} text */
function title(text) {
  console.log(`\n── ${text} ${'─'.repeat(60 - text.length)}`);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [more]
 */
function run(program, args, more) {
  const env = { ...process.env, ...more };
  const { status } = spawnSync(join(root, 'node_modules', '.bin', program), args, {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A run that failed without a failed test (a file that does not load, a crash) counts as one failure.
 * @param {number} status
 * @param {{ passed: number, failed: number }} result
 */
function withStatus(status, result) {
  return status === 0 || result.failed > 0 ? result : { ...result, failed: 1 };
}

/**
 * Counts a step that passes or fails as a whole.
 * @param {string} name
 * @param {boolean} hasPassed
 */
function addStep(name, hasPassed) {
  if (!hasPassed) failures.push(name);
  add({ passed: hasPassed ? 1 : 0, failed: hasPassed ? 0 : 1 });
}

/** @param {{ passed: number, failed: number }} result */
function add(result) {
  total.passed += result.passed;
  total.failed += result.failed;
}
