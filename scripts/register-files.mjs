import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The dynamically loaded modules that the register of a lesson needs without a connection, besides the app's shell. The
 * last ones fill the header.
 */
const modules = [
  'src/web/bookings/register/register.tsx',
  'src/web/bookings/register/registers.tsx',
  'src/web/progress/lesson-notes.tsx',
  'src/web/app/layout/not-shown.tsx',
  'src/web/app/layout/menus.tsx',
  'src/web/app/layout/later-parts.tsx',
];
/** The account client, whose path contains node_modules. */
const accountClient = /@supabase\/auth-js/;
const font = /inter-latin-wght-normal/;

/**
 * Lists the URLs of the built files that the register needs to open without a connection
 * (src/web/bookings/register/offline-page.ts). Reads the manifest that Vite writes into the folder; throws if it lacks
 * one of the modules.
 * @param {string} folder
 * @returns {string[]}
 */
export function listRegisterFiles(folder) {
  /** @type {Record<string, { file: string, imports?: string[], css?: string[], assets?: string[] }>} */
  const chunks = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const client = Object.keys(chunks).find((name) => accountClient.test(name));
  const files = new Set();
  /** @param {string} name */
  function collect(name) {
    const chunk = chunks[name];
    if (!chunk) throw new Error(`The build lacks ${name}, which the register needs without a connection.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const asset of chunk.assets ?? []) if (font.test(asset)) files.add(asset);
    for (const other of chunk.imports ?? []) collect(other);
  }
  for (const name of ['index.html', client ?? 'the account client', ...modules]) collect(name);
  for (const [name, { file }] of Object.entries(chunks)) if (font.test(name)) files.add(file);
  return [...files].map((file) => `/${file}`);
}
