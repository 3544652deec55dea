import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#server/platform/package-root.ts';
import { clusterFolder } from './state.ts';

/** Tables that almost every request reads or writes. */
const hotTables = ['users', 'sessions', 'profiles', 'lesson_slots', 'bookings', 'payments'];

/** Writes a next version of the product, with one more migration, to the cluster's folder. Returns its folder. */
export function makeNextRelease(): string {
  const folder = join(clusterFolder, 'next-release');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  // Node resolves symbolic links of programs, so a linked program would read the migrations of this version.
  for (const name of ['migrations', join('dist', 'server')]) {
    cpSync(join(packageRoot, name), join(folder, name), { recursive: true });
  }
  for (const name of ['package.json', 'src', 'node_modules', join('dist', 'web')]) {
    symlinkSync(join(packageRoot, name), join(folder, name));
  }
  const columns = hotTables.map(
    (table) => `alter table ${table} add column if not exists next_release text;`,
  );
  writeFileSync(join(folder, 'migrations', '9999_next_release.sql'), columns.join('\n-- commit\n'));
  return folder;
}
