import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { SourceFile } from './structure.ts';

/** The list of checksums, in the format of sha256sum. */
export const checksumsPath = 'migrations/checksums.txt';

const isMigration = ({ path }: SourceFile) => /^migrations\/\d{4}_.*\.sql$/.test(path);
const lineOf = ({ path, text }: SourceFile) =>
  `${createHash('sha256').update(text).digest('hex')}  ${basename(path)}`;

/**
 * Returns one sentence per migration that has no checksum, differs from its checksum, or is listed but missing. A
 * database that ran the earlier text would never get the change, so the server refuses to start on such a database.
 */
export function findEditedMigrations(files: SourceFile[]): string[] {
  const listed = linesOf(files.find(({ path }) => path === checksumsPath)?.text);
  const migrations = files.filter(isMigration);
  const missing = [...listed.keys()].filter(
    (name) => !migrations.some(({ path }) => basename(path) === name),
  );
  return [
    ...missing.map((name) => `migrations/${name}: was removed or renamed after databases ran it`),
    ...migrations.flatMap((file) => {
      const line = listed.get(basename(file.path));
      if (!line) return [`${file.path}: has no checksum yet; run npm run db:types`];
      if (line === lineOf(file)) return [];
      return [
        `${file.path}: was edited after databases ran it; add a new migration instead. If no database ran it, delete its line in ${checksumsPath} and run npm run db:types`,
      ];
    }),
  ];
}

/** Returns the list, sorted by name, with a line added for each migration that has none. Other lines stay unchanged. */
export function addChecksums(list: string, files: SourceFile[]): string {
  const listed = linesOf(list);
  for (const file of files.filter(isMigration)) {
    const name = basename(file.path);
    if (!listed.has(name)) listed.set(name, lineOf(file));
  }
  return [...listed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => `${line}\n`)
    .join('');
}

/** The lines of the list by file name. */
function linesOf(list = ''): Map<string, string> {
  const lines = list.split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.split('  ')[1] ?? '', line]));
}
