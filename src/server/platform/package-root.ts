import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder migrations/ is missing next to this program.');
    folder = parent;
  }
  return folder;
}

/** The folder that contains package.json, migrations/ and dist/; the same for the sources and the built program. */
export const packageRoot = findPackageRoot();
