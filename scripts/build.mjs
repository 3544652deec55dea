import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { buildPrograms } from './build-programs.mjs';
import { buildHashFile, hashSources } from './ensure-built.mjs';
import { ensureInstalled, root } from './ensure-installed.mjs';
import { listRegisterFiles } from './register-files.mjs';

ensureInstalled();
process.chdir(root);
process.env.NODE_ENV = 'production';
rmSync(buildHashFile, { force: true });
const hash = hashSources();
const { build, minifySync } = await import('vite');
const began = performance.now();

await Promise.all([buildPrograms(join(root, 'dist', 'server')), build({ logLevel: 'warn' })]);

const web = join(root, 'dist', 'web');
// Vite copies this script without minifying it; pages include it inline.
const early = join(web, 'early.js');
writeFileSync(early, minifySync(early, readFileSync(early, 'utf8')).code);
writeFileSync(join(web, 'register-files.json'), JSON.stringify(listRegisterFiles(web)));
await compressFiles(web);
writeFileSync(buildHashFile, hash);
console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s`);

/**
 * Writes compressed copies beside every script, style sheet and SVG file, so that no request waits for compression.
 * @param {string} folder
 */
async function compressFiles(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(js|css|svg)$/.test(path))
    .map((path) => join(folder, path));
  const encodings = /** @type {const} */ ([
    ['.gz', (/** @type {Buffer} */ text) => promisify(gzip)(text, { level: 9 })],
    [
      '.br',
      (/** @type {Buffer} */ text) =>
        promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }),
    ],
  ]);
  await Promise.all(
    paths.flatMap((path) =>
      encodings.map(async ([ending, compress]) =>
        writeFileSync(path + ending, await compress(readFileSync(path))),
      ),
    ),
  );
}
