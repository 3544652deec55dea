import { createReadStream } from 'node:fs';
import { chmod, chown, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline as finishPipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, type ExtractEvents, extract } from 'tar-stream';
import { defaultBrand } from '#domain/default-brand.ts';
import {
  BackupRefusal,
  exists,
  isFolder,
  type Manifest,
  manifestPath,
  pathOf,
  syncFolder,
} from './backup.ts';
import { findHome, startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPostgresUser, readPostgresMajor } from './postgres-binaries.ts';
import { readPostmaster } from './postmaster.ts';

/**
 * Restores a backup into `dataDir` and starts the restored database once, which brings it to the state at the end of
 * the backup. Before changing anything, refuses a file that is damaged, incomplete or from another major version of
 * PostgreSQL, a running database, and existing data unless `isReplacing`. Replaced data is moved aside and kept.
 * Returns the new paths of the replaced data.
 */
export async function restore({
  dataDir,
  file,
  others,
  isReplacing,
}: {
  dataDir: string;
  file: string;
  others: string[];
  isReplacing: boolean;
}): Promise<{ createdAt: string; movedTo: string[] }> {
  const manifest = await verify(file, others);
  await mkdir(dataDir, { recursive: true });
  const target = join(await realpath(dataDir), 'postgres');
  const user = await findPostgresUser(target);
  const home = await findHome(target, user);
  if ((await readPostmaster(home))?.isAlive) {
    throw new BackupRefusal(`A server is using the data in ${dataDir}. Stop it, then restore.`);
  }
  const targets = [home, ...others.map((path) => join(dataDir, pathOf(path)))];
  const present = await Promise.all(targets.map(exists));
  if (present.includes(true) && !isReplacing) {
    throw new BackupRefusal(
      `There is already data in ${dataDir}. Set DATA_DIR to an empty folder, or add --replace to move the existing data aside.`,
    );
  }
  const suffix = `.restoring-${process.pid}`;
  try {
    await unpack(
      file,
      (path) => {
        const [first, ...inside] = path.split('/');
        if (first === 'postgres') return join(home + suffix, ...inside);
        const other = others.find((name) => belongsTo(name, path));
        return other ? join(dataDir, pathOf(other)) + suffix + path.slice(pathOf(other).length) : null;
      },
      user,
    );
    const aside = `.replaced-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
    const movedTo: string[] = [];
    for (const target of targets) {
      if (await exists(target)) {
        await rename(target, target + aside);
        movedTo.push(target + aside);
      }
      if (await exists(target + suffix)) await rename(target + suffix, target);
      await syncFolder(dirname(target)).catch(() => {});
    }
    const postgres = await startEmbeddedPostgres({ dataDir });
    await postgres.stop();
    return { createdAt: manifest.createdAt, movedTo };
  } finally {
    for (const target of targets) await rm(target + suffix, { recursive: true, force: true });
  }
}

/** True if a path in the archive is this file or folder, or is inside this folder. */
const belongsTo = (name: string, path: string): boolean =>
  pathOf(path) === pathOf(name) || (isFolder(name) && path.startsWith(name));

/** Reads the whole file once, since an incomplete backup must not replace data. */
async function verify(file: string, others: string[]): Promise<Manifest> {
  if (!(await exists(file))) throw new BackupRefusal(`There is no file ${file}.`);
  let manifest: Manifest | undefined;
  const found = new Set<string>();
  try {
    for await (const entry of readEntries(file)) {
      found.add(entry.header.name);
      if (entry.header.name === manifestPath) manifest = JSON.parse(await text(entry)) as Manifest;
      else entry.resume();
    }
  } catch {
    throw new BackupRefusal(`${file} is not a backup, or it is damaged or incomplete. Nothing was changed.`);
  }
  if (manifest?.product !== 'app' || manifest.format !== 1 || !found.has('postgres/backup_label')) {
    throw new BackupRefusal(`${file} is not a backup that this version can read. Nothing was changed.`);
  }
  const stray = [...found].find((path) => path.split('/').includes('..') || path.startsWith('/'));
  const isComplete = [...found].every(
    (path) =>
      path === manifestPath || path.startsWith('postgres/') || others.some((name) => belongsTo(name, path)),
  );
  if (stray || !isComplete) throw new BackupRefusal(`${file} contains files that do not belong to a backup.`);
  const major = await readPostgresMajor();
  if (manifest.postgres !== major) {
    throw new BackupRefusal(
      `${file} was created with PostgreSQL ${manifest.postgres}, but this version includes ${major}. Restore it with the version of ${defaultBrand} that created it.`,
    );
  }
  return manifest;
}

type Entry = ExtractEvents['entry'][1];
type Owner = { uid: number; gid: number } | undefined;

async function unpack(file: string, targetOf: (path: string) => string | null, owner: Owner): Promise<void> {
  for await (const entry of readEntries(file)) {
    const { name } = entry.header;
    const target = targetOf(name.replace(/\/$/, ''));
    if (target) await writeEntry(entry, target, name.startsWith('postgres/') ? owner : undefined);
    entry.resume();
  }
}

async function writeEntry(entry: Entry, target: string, owner: Owner): Promise<void> {
  if (entry.header.type === 'directory') {
    await mkdir(target, { recursive: true, mode: 0o700 });
    await chmod(target, 0o700);
    if (owner) await chown(target, owner.uid, owner.gid);
    return;
  }
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const handle = await open(target, 'wx', 0o600);
  if (owner) await handle.chown(owner.uid, owner.gid);
  await finishPipeline(entry, handle.createWriteStream({ flush: true }));
}

/**
 * The entries of a backup. Read or resume each entry before requesting the next. Throws if the file is damaged or
 * incomplete.
 */
function readEntries(file: string): Extract {
  return pipeline(createReadStream(file), createGunzip(), extract(), () => {});
}
