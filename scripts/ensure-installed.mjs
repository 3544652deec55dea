import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const lockFile = join(root, 'package-lock.json');
const marker = join(root, 'node_modules', '.app-lock');
const npmLockFile = join(root, 'node_modules', '.package-lock.json');

/**
 * Installs exactly the packages in package-lock.json, unless node_modules already has them. Prints a sentence and exits
 * if Node.js is too old or the installation fails.
 */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`This program needs Node.js 20.19 or later, but this is Node.js ${process.versions.node}.`);
    process.exit(1);
  }
  const expected = createHash('sha256')
    .update(readFileSync(lockFile))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
  if (readIfThere(marker) === expected) return;
  if (!isInstalledByHand()) install();
  try {
    writeFileSync(marker, expected);
  } catch {
    // If node_modules is read-only, the next start checks the installation again.
  }
}

/**
 * True if node_modules is up to date because someone ran npm: npm's list of installed packages in node_modules is not
 * older than the lockfile.
 */
function isInstalledByHand() {
  try {
    return statSync(npmLockFile).mtimeMs >= statSync(lockFile).mtimeMs;
  } catch {
    return false;
  }
}

function install() {
  console.log('Installing packages, which takes about half a minute …');
  // NODE_ENV=production would leave out the build tools, so --include=dev asks for them.
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status, error } = spawnSync('npm', options, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  console.error(
    `The packages could not be installed${error ? ` (${error.message})` : ''}. Check the connection to the npm registry and the free disk space, then try again.`,
  );
  process.exit(1);
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
