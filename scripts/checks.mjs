import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './ensure-installed.mjs';

/**
 * The checks that need neither database nor browser. Slow checks come first, so that both workers finish together.
 * @type {[name: string, program: string, ...args: string[]][]}
 */
const checks = [
  ['types', 'tsc', '-b'],
  ['boundaries', 'node', 'scripts/boundaries.mjs'],
  ['description of the API', 'tsx', 'scripts/openapi.ts'],
  ['unit tests of the domain', 'vitest', 'run', '--project', 'pure', 'src/domain'],
  ['unused code and dependencies', 'knip'],
  ['structure', 'tsx', 'scripts/structure.ts'],
  ['retired words and the brand', 'tsx', 'scripts/words.ts'],
  ['tests that documents cite', 'tsx', 'scripts/citations.ts'],
  ['requirement ids', 'tsx', 'scripts/requirements.ts', '--quiet'],
  ['licences', 'tsx', 'scripts/licences.ts'],
  ['lint and format', 'biome', 'ci', '--colors=off'],
];

/**
 * Runs all checks except those named in `without`, two at a time. Prints a line for each check and the output of
 * those that failed. Returns how many passed and failed, and the names of those that failed.
 * @param {string[]} [without]
 */
export async function runChecks(without = []) {
  const waiting = checks.filter(([name]) => !without.includes(name));
  const result = { passed: 0, failed: 0, failures: /** @type {string[]} */ ([]) };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [name, program, ...args] = check;
      const began = performance.now();
      const { status, said } = await run(program, args);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
      if (status === 0) result.passed += 1;
      else {
        result.failed += 1;
        result.failures.push(name);
        console.log(said.trimEnd().replace(/^/gm, '    '));
      }
    }
  };
  await Promise.all([work(), work()]);
  return result;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ status: number, said: string }>}
 */
function run(program, args) {
  return new Promise((resolve) => {
    const path = program === 'node' ? process.execPath : join(root, 'node_modules', '.bin', program);
    const child = spawn(path, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.once('error', (error) => resolve({ status: 1, said: error.message }));
    child.once('close', (code) => resolve({ status: code ?? 1, said }));
  });
}
