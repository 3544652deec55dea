import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A file's path from the repository root, and its text. */
type SourceFile = { path: string; text: string };

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll("\\'", "'");

/**
 * Returns one sentence per test file that a document names but that doesn't exist, and one per quoted test title (in
 * `x.test.ts`: "title", "title") that the file doesn't contain.
 */
export function findWrongCitations(documents: SourceFile[], tests: SourceFile[]): string[] {
  const textOf = new Map(tests.map(({ path, text }) => [basename(path), oneLine(text)]));
  return documents.flatMap(({ path, text }) =>
    [...oneLine(text).matchAll(/`([\w/-]+\.(?:test|spec)\.tsx?)`((?:[:,] "[^"]+")*)/g)].flatMap(
      ([, file = '', quotes = '']) => {
        const test = textOf.get(basename(file));
        if (test === undefined) return [`${path}: there is no test ${file}`];
        return [...quotes.matchAll(/"([^"]+)"/g)]
          .filter(([, title = '']) => !test.includes(title))
          .map(([title]) => `${path}: ${file} has no test ${title}`);
      },
    ),
  );
}

/** The files below a folder whose path matches, by their paths from the root. */
function readFiles(root: string, folder: string, pattern: RegExp): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const documents = [
    ...readFiles(root, 'docs', /\.md$/),
    ...['README.md', 'CONTRIBUTING.md'].map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
    })),
  ];
  const tests = ['src', 'e2e', 'scripts', 'tools', 'bench', 'chaos', 'deploy'].flatMap((folder) =>
    readFiles(root, folder, /\.(test|spec)\.tsx?$/),
  );
  const problems = findWrongCitations(documents, tests);
  for (const problem of problems) console.error(problem);
  console.log(`${documents.length} documents checked, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
