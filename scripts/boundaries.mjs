import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import config from '../.dependency-cruiser.mjs';

showImportsOnly();

/**
 * Follows every import below `<root>/src` and `<root>/tools`. `problems` has one sentence per import that breaks a rule
 * of .dependency-cruiser.mjs, and one per source file with imports that were not checked.
 * @param {string} root
 */
export async function findBoundaryProblems(root) {
  const { cruise } = await import('dependency-cruiser');
  const { forbidden, options = {} } = config;
  const folders = ['src', 'tools'].filter((folder) => existsSync(join(root, folder)));
  const result = await cruise(folders, { ...options, baseDir: root, validate: true, ruleSet: { forbidden } });
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
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const unseen = findUnseen(files, modules);
  return { problems: [...broken, ...unseen], moduleCount: files.length };
}

/**
 * Returns one sentence per file whose imports were not checked, because dependency-cruiser silently skips files that it
 * cannot parse. Every file must be among the modules, and every file with import statements must have dependencies.
 * @param {{ path: string, text: string }[]} files
 * @param {{ source: string, dependencies: unknown[] }[]} modules
 */
export function findUnseen(files, modules) {
  const seen = new Map(modules.map((module) => [module.source, module]));
  /** @param {{ path: string, text: string }} file */
  const isUnseen = ({ path, text }) =>
    !seen.has(path) || (/^import\b.*'/m.test(text) && seen.get(path)?.dependencies.length === 0);
  return files.filter(isUnseen).map(({ path }) => `not-seen: the imports of ${path} were not checked`);
}

/**
 * Gives dependency-cruiser only the imports of each file: static imports, `export … from`, `import()` and type imports.
 * dependency-cruiser 17 has swc parse every file as plain TypeScript and fails on newer syntax such as `using`; version
 * 18 needs Node 22.
 */
function showImportsOnly() {
  const swc = createRequire(import.meta.url)('@swc/core');
  const parse = swc.parseFileSync;
  /** @type {(path: string) => object} */
  swc.parseFileSync = (path) => {
    const tree = parse(path, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'esnext' });
    const sources = collectSources(tree.body, []);
    const body = sources.map((source) => ({
      type: 'ImportDeclaration',
      span: tree.span,
      specifiers: [],
      source,
    }));
    return { ...tree, body };
  };
}

/**
 * @param {any} node
 * @param {object[]} sources
 */
function collectSources(node, sources) {
  if (!node || typeof node !== 'object') return sources;
  if (/^(Import|ExportAll|ExportNamed)Declaration$/.test(node.type) && node.source) sources.push(node.source);
  const argument = node.type === 'TsImportType' ? node.argument : undefined;
  const called = node.callee?.type === 'Import' ? node.arguments[0].expression : undefined;
  for (const source of [argument, called]) if (source?.type === 'StringLiteral') sources.push(source);
  for (const child of Object.values(node)) collectSources(child, sources);
  return sources;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { problems, moduleCount } = await findBoundaryProblems(fileURLToPath(new URL('..', import.meta.url)));
  for (const problem of problems) console.error(problem);
  console.log(`${moduleCount} modules checked, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
