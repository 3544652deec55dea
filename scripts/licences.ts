import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type LockedPackage = { version?: string; license?: string; link?: boolean };

/** Licences that at most require their notice to be kept, and never require source code to be published. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Packages with a stricter licence, and why they may be used. */
const reasoned: [name: RegExp, reason: string][] = [
  [
    /^lightningcss(-|$)/,
    'MPL-2.0 covers only its own files; used unchanged to build the product, which contains none of it',
  ],
  [
    /^(@axe-core\/playwright|axe-core)$/,
    'MPL-2.0 covers only its own files; used unchanged in browser tests',
  ],
  [/^ical\.js$/, 'MPL-2.0 covers only its own files; used unchanged in tests of calendar files'],
  [/^web-push$/, 'MPL-2.0 covers only its own files; installed and called unchanged (decision 79)'],
  [
    /^@img\/sharp-/,
    'libvips is LGPL-3.0-or-later; sharp loads it unchanged as a shared library that anyone can replace (decision 75)',
  ],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

const byLicence = new Map<string, string[]>();
const refused: string[] = [];
for (const [path, { version, license = 'none named', link }] of Object.entries(lock.packages)) {
  if (!path || link) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  byLicence.set(license, [...(byLicence.get(license) ?? []), `${name}@${version}`]);
  if (!isPermissive(license) && !reasoned.some(([pattern]) => pattern.test(name)))
    refused.push(`${name}@${version}: ${license}`);
}

/**
 * True if an SPDX expression is permissive: a permissive licence, or several joined by OR (one must be permissive) or
 * AND (all must be).
 */
function isPermissive(expression: string): boolean {
  const bare = expression.replace(/[()]/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isPermissive);
  return bare.split(' AND ').every((name) => permissive.has(name.trim()));
}

for (const [licence, packages] of [...byLicence].sort((a, b) => b[1].length - a[1].length)) {
  const few = process.argv.includes('--all') || packages.length <= 5 ? `: ${packages.join(', ')}` : '';
  console.log(`${String(packages.length).padStart(4)} ${licence}${few}`);
}
if (refused.length > 0) {
  console.error(`Not known to be permissive:\n${refused.join('\n')}`);
  process.exitCode = 1;
}
