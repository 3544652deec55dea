import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { areas } from './areas.mjs';
import { findEditedMigrations } from './migration-checksums.ts';

export type SourceFile = { path: string; text: string };

/** The folders that src/domain, src/server and the other sides may have besides their areas. */
const otherFolders: Record<string, string[]> = {
  domain: [],
  server: ['platform', 'embedded', 'demo', 'site', 'product-tests', 'test-support'],
  web: ['app', 'ui', 'public', 'dev'],
  site: [],
};
/** The folders of browser tests besides those of the areas. */
const otherTestFolders = ['app', 'site'];

/** The maximum number of files on one level of a folder in src, tools or e2e. */
const fileLimit = 25;
const lineLimit = 300;
/** The limit is higher for tests, because they include their set-up. */
const testLineLimit = 400;
/** Files that may be longer than the limit, with the reason. */
const longFiles: Record<string, string> = {
  'src/server/platform/db/db-types.ts': 'generated from the database',
  'src/domain/notifications/kinds.ts': 'every kind of notification, in one record',
  'src/web/routes.tsx': 'every URL of the product, listed in one place',
  'src/web/styles.css': 'fonts and the design tokens of both themes, which are read and changed side by side',
};

// Meaningless names. Those in the first list are banned as whole names, those in the second even as part of a name.
const emptyNames = ['index', 'types', 'service', 'services', 'constants', 'shared', 'lib'];
const emptyParts = ['util', 'utils', 'helper', 'helpers', 'common', 'misc'];

const namePattern = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.(test|test-support|spec|config|d))?\.[a-z0-9]+$/;
const migrationPattern = /^((\d{4}_[a-z0-9_]+|schema)\.sql|checksums\.txt)$/;

/** Returns one sentence per breach of the layout in docs/architecture.md, or of the limits and naming rules above. */
export function findStructureProblems(files: SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const problems = files.flatMap(({ path, text }) => [
    ...nameProblems(path),
    ...(path.startsWith('src/') ? layoutProblems(path, text, paths) : []),
    ...(path.endsWith('.spec.ts') ? browserTestProblems(path) : []),
    ...lengthProblems(path, countLines(text)),
  ]);
  const fileCounts = new Map<string, number>();
  for (const path of paths) {
    if (/^(src|tools|e2e)\//.test(path))
      fileCounts.set(dirname(path), (fileCounts.get(dirname(path)) ?? 0) + 1);
  }
  for (const [folder, count] of fileCounts) {
    if (count <= fileLimit) continue;
    problems.push(`${folder}: ${count} files on one level, more than ${fileLimit}; sort them into folders`);
  }
  for (const path of Object.keys(longFiles)) {
    const file = files.find((candidate) => candidate.path === path);
    if (file && countLines(file.text) <= lineLimit && !longFiles[path]?.startsWith('generated')) {
      problems.push(
        `${path}: no longer over ${lineLimit} lines; remove it from the list in scripts/structure.ts`,
      );
    }
  }
  return problems;
}

const countLines = (text: string) => text.split('\n').length - 1;

function nameProblems(path: string): string[] {
  const name = basename(path);
  const problems: string[] = [];
  if (path.startsWith('migrations/')) {
    return migrationPattern.test(name) ? [] : [`${path}: a migration is named like 0001_accounts.sql`];
  }
  if (!namePattern.test(name)) problems.push(`${path}: file names are kebab-case`);
  const badFolder = dirname(path)
    .split('/')
    .find((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part));
  if (badFolder) problems.push(`${path}: folder names are kebab-case`);
  for (const part of [...dirname(path).split('/'), name.split('.')[0] ?? '']) {
    if (emptyNames.includes(part) || part.split('-').some((word) => emptyParts.includes(word))) {
      problems.push(`${path}: "${part}" says nothing; name the content`);
    }
  }
  return problems;
}

function layoutProblems(path: string, text: string, paths: Set<string>): string[] {
  const [, side = '', folder = '', ...deeper] = path.split('/');
  const others = otherFolders[side];
  if (!others) return [`${path}: src has only the sides domain, server, web and site`];
  if (deeper.length === 0) return [];
  if (side === 'site') return [`${path}: site has no folders inside`];
  if (![...areas, ...others].includes(folder)) {
    return [`${path}: "${folder}" is neither an area (${areas.join(', ')}) nor one of ${others.join(', ')}`];
  }
  const problems: string[] = [];
  if (deeper.length > 2 || (deeper.length > 1 && side === 'domain')) {
    problems.push(`${path}: folders of an area have no folders inside; in domain, areas have no folders`);
  }
  const stem = path.slice(0, -extname(path).length);
  const decides = /^export (async )?function|^export const \w+ = \(/m.test(text);
  const isRuleFile = side === 'domain' && decides && !/(\.test|\.test-support|\/contract)$/.test(stem);
  if (isRuleFile && !paths.has(`${stem}.test.ts`)) {
    problems.push(`${path}: rules have their tests beside them, in ${basename(stem)}.test.ts`);
  }
  return problems;
}

function browserTestProblems(path: string): string[] {
  const [, folder = '', ...deeper] = path.split('/');
  if (deeper.length === 1 && [...areas, ...otherTestFolders].includes(folder)) return [];
  return [
    `${path}: browser tests belong in the folder of an area in e2e, or in ${otherTestFolders.join(', ')}`,
  ];
}

function lengthProblems(path: string, lineCount: number): string[] {
  const limit = /\.(test|test-support|spec)\.tsx?$/.test(path) ? testLineLimit : lineLimit;
  if (lineCount <= limit || longFiles[path] || !/\.(tsx?|mjs|css)$/.test(path)) return [];
  const isContract = /\/([a-z-]+-)?contract\.ts$/.test(path);
  const way = isContract
    ? 'put the calls of one noun or caller into a second contract beside it, such as lessons-contract.ts, and list that in src/server/api-areas.ts'
    : 'split it, or list it with a reason in scripts/structure.ts';
  return [`${path}: ${lineCount} lines, over the limit of ${limit}; ${way}`];
}

function readSourceFiles(root: string): SourceFile[] {
  return ['src', 'tools', 'scripts', 'e2e', 'bench', 'chaos', 'deploy', 'migrations']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'tsconfig.json')
    .map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return { path: full.slice(root.length), text: readFileSync(full, 'utf8') };
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readSourceFiles(fileURLToPath(new URL('..', import.meta.url)));
  const problems = [...findStructureProblems(files), ...findEditedMigrations(files)];
  for (const problem of problems) console.error(problem);
  console.log(`${files.length} files checked, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
