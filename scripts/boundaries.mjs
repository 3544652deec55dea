import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import config from '../.dependency-cruiser.mjs';

letSwcReadTsx();

/**
 * Follows every import below `<root>/src` and answers one sentence per import that breaks a rule of
 * .dependency-cruiser.mjs, and per source file whose imports were not seen.
 * @param {string} root
 */
export async function findBoundaryProblems(root) {
  const { cruise } = await import('dependency-cruiser');
  const { forbidden, options = {} } = config;
  const result = await cruise(['src'], { ...options, baseDir: root, validate: true, ruleSet: { forbidden } });
  const { modules, summary } = /** @type {import('dependency-cruiser').ICruiseResult} */ (result.output);
  const comments = new Map(forbidden?.map((rule) => [rule.name, rule.comment]));
  const broken = summary.violations.map(({ rule, from, to, cycle }) => {
    const way = cycle?.length
      ? ` → ${cycle.map(({ name }) => name).join(' → ')}`
      : to === from
        ? ''
        : ` → ${to}`;
    const comment = comments.get(rule.name);
    return `${rule.name}: ${from}${way}${comment ? `\n    ${comment}` : ''}`;
  });
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path: `src/${path}`, text: readFileSync(join(root, 'src', path), 'utf8') }));
  const unseen = findUnseen(files, modules);
  return { problems: [...broken, ...unseen], moduleCount: files.length };
}

/**
 * A cruise that cannot read a language passes over its files in silence, so each file on disk has to be among the
 * modules, and one that has import statements has to have dependencies.
 * @param {{ path: string, text: string }[]} files
 * @param {{ source: string, dependencies: unknown[] }[]} modules
 */
export function findUnseen(files, modules) {
  const seen = new Map(modules.map((module) => [module.source, module]));
  /** @param {{ path: string, text: string }} file */
  const isUnseen = ({ path, text }) =>
    !seen.has(path) || (/^import\b.*'/m.test(text) && seen.get(path)?.dependencies.length === 0);
  return files.filter(isUnseen).map(({ path }) => `not-seen: the imports of ${path} were not looked at`);
}

/** dependency-cruiser 17 tells swc to read every file as plain TypeScript; 18 does better but wants Node 22. */
function letSwcReadTsx() {
  const swc = createRequire(import.meta.url)('@swc/core');
  const parse = swc.parseFileSync;
  /** @type {(path: string, options: object) => unknown} */
  swc.parseFileSync = (path, options) => parse(path, { ...options, tsx: path.endsWith('x') });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { problems, moduleCount } = await findBoundaryProblems(fileURLToPath(new URL('..', import.meta.url)));
  for (const problem of problems) console.error(problem);
  console.log(`${moduleCount} modules looked at, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
