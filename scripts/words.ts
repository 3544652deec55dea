import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from '@swc/core';

/** A file's path from the repository root, and its text. */
type SourceFile = { path: string; text: string };

/** A word or phrase in lower case, what to say instead, and whether only names are checked for it. */
export type RetiredWord = { word: string; instead: string; isForNamesOnly: boolean };

export type Glossary = { retired: RetiredWord[]; exceptions: string[] };

/**
 * Reads docs/glossary.md. Throws if the glossary lists no words: a changed layout would otherwise disable the check.
 */
export function readGlossary(document: string): Glossary {
  const [before = '', after = ''] = document.split(/^## Exceptions$/m);
  const rows = (text: string) =>
    [...text.matchAll(/^\| (?!say|name|-)(.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  const retired = rows(before).flatMap(([instead = '', , not, scope]) =>
    quoted(not).map((word) => ({
      word: word.toLowerCase(),
      instead,
      isForNamesOnly: scope !== 'everywhere',
    })),
  );
  if (retired.length === 0) throw new Error('docs/glossary.md retires no word.');
  return { retired, exceptions: rows(after).flatMap(([cell]) => quoted(cell)) };
}

/** `refuse_change`, `refuseChange` and `refuse-change` as the words "refuse change". */
const spread = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns one sentence per retired word in each file, and one per source file that names the brand. */
export function findRetiredWords(files: SourceFile[], glossary: Glossary, brand: string): string[] {
  const exceptions = new RegExp(
    glossary.exceptions.map((name) => `\\b${escapePattern(name)}\\b`).join('|') || '$^',
    'g',
  );
  const brandPattern = new RegExp(escapePattern(brand), 'i');
  const patterns = glossary.retired.map((entry) => ({
    ...entry,
    pattern: new RegExp(`\\b${escapePattern(entry.word).replaceAll(' ', '\\s+')}\\b`),
  }));
  return files.flatMap(({ path, text }) => {
    const problems: string[] = [];
    const names = spread(`${readNames(path, text, glossary.exceptions)} ${basename(path)}`);
    const all = `${spread(text.replace(exceptions, ''))} ${names}`;
    for (const { word, instead, isForNamesOnly, pattern } of patterns) {
      if (!pattern.test(isForNamesOnly ? names : all)) continue;
      const line = text.split('\n').findIndex((part) => pattern.test(spread(part.replace(exceptions, ''))));
      problems.push(
        `${path}${line < 0 ? '' : `:${line + 1}`}: "${word}" is retired; say ${instead} (docs/glossary.md)`,
      );
    }
    if (isSource(path) && brandPattern.test(text)) {
      const line = text.split('\n').findIndex((part) => brandPattern.test(part));
      problems.push(`${path}:${line + 1}: the brand is configuration, import defaultBrand instead`);
    }
    return problems;
  });
}

const isSource = (path: string) => /\.(tsx?|mjs|js|sql|html|svg|yml)$/.test(path) || path === '.env.example';

/** The names that a file declares or uses, separated by spaces. Strings and comments are left out. */
function readNames(path: string, text: string, exceptions: string[]): string {
  const isAllowed = (name: string) => exceptions.includes(name);
  if (path.endsWith('.sql')) {
    const bare = text.replace(/--.*$|'[^']*'/gm, '');
    return [...new Set(bare.match(/\w+/g))].filter((name) => !isAllowed(name)).join(' ');
  }
  if (!/\.(tsx?|mjs)$/.test(path)) return '';
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    else if (node && typeof node === 'object') {
      const { type, value } = node as { type?: string; value?: unknown };
      if ((type === 'Identifier' || type === 'PrivateName') && typeof value === 'string') names.add(value);
      for (const child of Object.values(node)) visit(child);
    }
  };
  const isTyped = !path.endsWith('.mjs');
  visit(
    parseSync(text, isTyped ? { syntax: 'typescript', tsx: path.endsWith('x') } : { syntax: 'ecmascript' })
      .body,
  );
  return [...names].filter((name) => !isAllowed(name)).join(' ');
}

/** Files that are not checked, because they quote the owner or name the retired words. */
const unread =
  /^(docs\/(glossary|requirements)\.md|CHANGELOG\.md|package-lock\.json|scripts\/words(\.test)?\.ts)$/;

function readFiles(root: string): SourceFile[] {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return paths
    .trim()
    .split('\n')
    .filter(
      (path) => /\.(tsx?|mjs|js|sql|md|html|css|svg|yml)$|^\.env\.example$/.test(path) && !unread.test(path),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readFiles(root);
  const glossary = readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
  const { name } = JSON.parse(readFileSync(join(root, 'src/domain/brand.json'), 'utf8')) as {
    name: string;
  };
  const problems = findRetiredWords(files, glossary, name);
  for (const problem of problems) console.error(problem);
  console.log(
    `${files.length} files read for ${glossary.retired.length} retired words, ${problems.length} problems`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
