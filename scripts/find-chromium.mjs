import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// A headless build uses a tenth less CPU, so it comes first unless windows are needed.
const windowless = ['chromium-headless-shell'];
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The path of the system's Chromium or Chrome; undefined if there is none. CHROMIUM_PATH takes precedence. If HEADED is
 * set, builds without windows are not considered.
 */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const preferred = process.env.HEADED ? names : [...windowless, ...names];
  const paths = preferred.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM_PATH, ...paths, ...elsewhere].find((path) => path && isExecutable(path));
}

/**
 * Returns the path of Chromium. If Chromium is missing, installs it from the system's packages when run by root;
 * otherwise throws an error that says what to install.
 */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log("Installing Chromium from the system's packages …");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    /** @param {string[]} args */
    const run = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    run('update', '-q');
    // Ubuntu has no package for the headless shell.
    for (const name of [...windowless, 'chromium']) {
      run('install', '-q', '-y', '--no-install-recommends', name);
      const installed = findChromium();
      if (installed) return installed;
    }
  }
  throw new Error(
    'The browser tests need Chromium or Google Chrome. Install it (on Debian or Ubuntu: sudo apt-get install chromium) or set CHROMIUM_PATH to its program, then run npm test again.',
  );
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
