import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from '@swc/core';

/** A test and the requirement ids in its title or in the titles of the groups around it. */
export type NamedTest = { file: string; title: string; ids: string[]; isSkipped: boolean };

const rowPattern = /^(?: {2})?- ([A-Z]+-\d+[a-z]?) (.+)$/gm;
const titlePattern = /\[([A-Z]+-\d+[a-z]?(?:\s*,\s*[A-Z]+-\d+[a-z]?)*)\]/g;
const maxIds = 3;

/**
 * Reads the rows of docs/requirements.md and their clauses, as a map from id to text. Throws if an id occurs twice, or
 * a clause has no row.
 */
export function readRows(document: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const [, id = '', text = ''] of document.matchAll(rowPattern)) {
    if (rows.has(id)) throw new Error(`Requirement ${id} occurs twice in docs/requirements.md.`);
    const row = id.replace(/[a-z]$/, '');
    if (row !== id && !rows.has(row)) throw new Error(`Clause ${id} has no row ${row} above it.`);
    rows.set(id, text);
  }
  return rows;
}

/** The ids of a row's clauses; none for a row without clauses, or for a clause. */
export const clausesOf = (id: string, rows: ReadonlyMap<string, string>): string[] =>
  [...rows.keys()].filter((other) => other.slice(0, -1) === id && /[a-z]$/.test(other));

/** A row with clauses is proven when tests name each clause. Any other row or clause is proven when a test names it. */
export function isProven(
  id: string,
  rows: ReadonlyMap<string, string>,
  named: { has: (id: string) => boolean },
): boolean {
  const clauses = clausesOf(id, rows);
  return clauses.length > 0 ? clauses.every((clause) => named.has(clause)) : named.has(id);
}

/** The ids of a list such as "AUTH-1 to AUTH-10, ROLE-7". */
export function readIdList(list: string): string[] {
  return [...list.matchAll(/([A-Z]+)-(\d+)(?:\s+to\s+\1-(\d+))?/g)].flatMap(([, area, from, to]) => {
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, index) => `${area}-${first + index}`);
  });
}

type Node = { type?: string; [key: string]: unknown };

/**
 * Finds every `test(…)` and `it(…)` of a test file by its syntax, so that ids in comments or other strings don't count.
 * An id in the title of a `describe` counts for the tests inside it.
 */
export function findTests(file: string, source: string): NamedTest[] {
  const tests: NamedTest[] = [];
  const visit = (node: unknown, outerIds: string[], isOuterSkipped: boolean): void => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, outerIds, isOuterSkipped);
      return;
    }
    if (!node || typeof node !== 'object') return;
    const call = node as Node;
    const names = call.type === 'CallExpression' ? calledNames(call.callee as Node) : [];
    const [root = '', ...parts] = names;
    let ids = outerIds;
    let isSkipped = isOuterSkipped;
    if (['test', 'it', 'describe'].includes(root)) {
      const [first] = call.arguments as { expression: Node }[];
      const title = first && readTitle(first.expression);
      if (title !== undefined) {
        ids = [...new Set([...outerIds, ...readTitleIds(title)])];
        isSkipped ||= parts.some((part) =>
          ['skip', 'todo', 'fixme', 'fails', 'fail', 'skipIf', 'runIf'].includes(part),
        );
        const isGroup = root === 'describe' || parts.includes('describe');
        const isStep = parts.includes('step');
        if (!isGroup && !isStep) tests.push({ file, title, ids, isSkipped });
      }
    }
    for (const child of Object.values(call)) visit(child, ids, isSkipped);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('.tsx') }).body, [], false);
  return tests;
}

/** The identifiers of a callee in order: `test`, `describe`, `skip` for `test.describe.skip(…)`. */
function calledNames(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.value as string];
  if (callee.type === 'CallExpression') return calledNames(callee.callee as Node);
  if (callee.type === 'TaggedTemplateExpression') return calledNames(callee.tag as Node);
  if (callee.type !== 'MemberExpression') return [];
  return [...calledNames(callee.object as Node), (callee.property as Node).value as string];
}

function readTitle(argument: Node): string | undefined {
  if (argument.type === 'StringLiteral') return argument.value as string;
  if (argument.type !== 'TemplateLiteral') return undefined;
  return (argument.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join('…');
}

function readTitleIds(title: string): string[] {
  return [...title.matchAll(titlePattern)].flatMap(([, list = '']) => list.split(',').map((id) => id.trim()));
}

function readTests(root: string): NamedTest[] {
  return ['src', 'tools', 'e2e', 'scripts', 'bench', 'chaos', 'deploy']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
    .sort()
    .flatMap((path) => findTests(path, readFileSync(join(root, path), 'utf8')));
}

/** Prints the coverage and returns one sentence per problem. */
function report(root: string, { isQuiet, required }: { isQuiet: boolean; required: string[] }): string[] {
  const rows = readRows(readFileSync(join(root, 'docs/requirements.md'), 'utf8'));
  const tests = readTests(root);
  const problems: string[] = [];
  const proofs = new Map<string, NamedTest[]>();
  for (const test of tests) {
    if (test.isSkipped) problems.push(`${test.file}: "${test.title}" is skipped, so it proves nothing.`);
    if (test.ids.length > maxIds)
      problems.push(
        `${test.file}: "${test.title}" names ${test.ids.length} requirements; ${maxIds} at most.`,
      );
    for (const id of test.ids) {
      if (!rows.has(id))
        problems.push(`${test.file}: "${test.title}" names ${id}, which docs/requirements.md does not have.`);
      else if (!test.isSkipped) proofs.set(id, [...(proofs.get(id) ?? []), test]);
    }
  }
  for (const id of required) {
    if (!rows.has(id))
      problems.push(`The list of delivered rows names ${id}, which docs/requirements.md does not have.`);
    else if (!isProven(id, rows, proofs)) {
      const open = clausesOf(id, rows).filter((clause) => !proofs.has(clause));
      for (const part of open.length > 0 ? open : [id])
        problems.push(`${part} is delivered, but no test proves it: ${rows.get(part)}`);
    }
  }
  if (!isQuiet) {
    for (const id of rows.keys()) {
      const found = proofs.get(id) ?? [];
      console.log(`${isProven(id, rows, proofs) ? '✓' : '·'} ${id}`);
      for (const { file, title } of found) console.log(`    ${file}: ${title}`);
    }
    const unproven = [...rows.keys()].filter((id) => !isProven(id, rows, proofs));
    console.log(`\nProven by no test: ${unproven.join(' ') || 'none'}`);
  }
  const delivered =
    required.length > 0
      ? `, ${required.filter((id) => isProven(id, rows, proofs)).length} of ${required.length} delivered ones`
      : '';
  const whole = [...rows.keys()].filter((id) => /\d$/.test(id));
  const proven = whole.filter((id) => isProven(id, rows, proofs));
  console.log(`${proven.length} of ${whole.length} requirements are proven by a test${delivered}`);
  return problems;
}

/**
 * The ids that `--require` names: with `delivered`, those of the list at the top of docs/requirements.md; any other
 * value is a file or the list itself.
 */
function readRequired(root: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  if (value === 'delivered') {
    const head = readFileSync(join(root, 'docs/requirements.md'), 'utf8').split('\n## ')[0] ?? '';
    return readIdList(head.slice(head.indexOf('\nDelivered')));
  }
  return readIdList(value.includes('.') ? readFileSync(value, 'utf8') : value);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const index = process.argv.indexOf('--require');
  const problems = report(root, {
    isQuiet: process.argv.includes('--quiet'),
    required: readRequired(root, index < 0 ? undefined : (process.argv[index + 1] ?? '')),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
