import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure-installed.mjs';

/**
 * The file with the fingerprint of the sources of dist/. It is written last, so its presence proves a complete build.
 */
export const buildHashFile = join(root, 'dist', '.build-hash');

const sources = [
  'src',
  'tools',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-programs.mjs',
  'scripts/screen-modules.ts',
  'scripts/without-server-parts.ts',
];

/**
 * Builds dist/ unless it was built from exactly these sources. Prints the reason and returns false if the build fails.
 */
export function ensureBuilt() {
  if (isBuilt()) return true;
  console.log('Building …');
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) console.error('The build failed; see the errors above.');
  return status === 0;
}

function isBuilt() {
  try {
    return readFileSync(buildHashFile, 'utf8') === hashSources();
  } catch {
    return false;
  }
}

/** Fingerprint of names, sizes and modification times: reading the contents would slow every start. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const path of sources) addToHash(hash, path);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addToHash(hash, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) {
    hash.update(`${path}\0${found.size}\0${found.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (!/\.(test|test-support)\.tsx?$/.test(name)) addToHash(hash, `${path}/${name}`);
  }
}
