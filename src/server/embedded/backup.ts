import { createWriteStream } from 'node:fs';
import { type FileHandle, link, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { type Pack, pack } from 'tar-stream';
import { readPassword, startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostgresMajor } from './postgres-binaries.ts';
import { readPostmaster } from './postmaster.ts';

/** A backup or restore could not start or finish. The message is for the operator. */
export class BackupRefusal extends Error {}

/** The manifest, which is a backup's first file. */
export type Manifest = { product: 'app'; format: 1; postgres: number; createdAt: string };

/** Whether a name ends in a slash and so is the name of a folder (see `others` of {@link backUp}). */
export const isFolder = (name: string): boolean => name.endsWith('/');
/** The path of a file or folder, without the slash that ends a folder's name. */
export const pathOf = (name: string): string => name.replace(/\/$/, '');

export const manifestPath = 'app-backup.json';
/** Files that a server recreates at every start or must not find (PostgreSQL's manual, "Making a Base Backup"). */
const leftOut =
  /^(postmaster\.(pid|opts)|server\.log|pg_wal\/.+|pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.+|(.*\/)?pgsql_tmp.*|(.*\/)?pg_internal\.init.*)$/;

/**
 * Backs up the whole embedded installation, running or not, into one file (a gzipped tar archive): the database as it
 * is at the end of the backup, and `others`, the files and folders in `dataDir` that belong with the database. A
 * folder's name ends in a slash. Never overwrites a file; a new file appears complete or not at all.
 */
export async function backUp({
  dataDir,
  file,
  others,
}: {
  dataDir: string;
  file: string;
  others: string[];
}): Promise<{ bytes: number }> {
  const source = join(dataDir, 'postgres');
  if (!(await exists(join(source, 'PG_VERSION')))) {
    throw new BackupRefusal(
      `There is no database in ${dataDir} to back up. Run npm start once, or set DATA_DIR.`,
    );
  }
  if (await exists(file))
    throw new BackupRefusal(`${file} already exists. Choose another name: backups are never overwritten.`);
  if (!(await exists(dirname(file))))
    throw new BackupRefusal(`There is no folder ${dirname(file)}. Create it first.`);
  const home = await realpath(source);
  const wasRunning = (await readPostmaster(home))?.isAlive;
  const postgres = await startEmbeddedPostgres({ dataDir });
  const draft = `${file}.part-${process.pid}`;
  try {
    const archive = pack();
    // If either packing or writing fails, both end.
    const archived = packInstallation(archive, { dataDir, home, url: postgres.url, others }).then(
      () => archive.finalize(),
      (error) => archive.destroy(error),
    );
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(archive, createGzip({ level: 4 }), target).finally(() => archived);
    // Unlike a rename, a link fails if the file was created in the meantime.
    await link(draft, file).catch((error) => {
      throw error.code === 'EEXIST'
        ? new BackupRefusal(`${file} already exists. Choose another name.`)
        : error;
    });
    await syncFolder(dirname(file));
    return { bytes: (await stat(file)).size };
  } finally {
    await rm(draft, { force: true });
    if (!wasRunning) await postgres.stop();
  }
}

type Installation = { dataDir: string; home: string; url: string; others: string[] };

async function packInstallation(archive: Pack, { dataDir, home, url, others }: Installation): Promise<void> {
  const manifest: Manifest = {
    product: 'app',
    format: 1,
    postgres: await readPostgresMajor(),
    createdAt: new Date().toISOString(),
  };
  await packFile(archive, manifestPath, JSON.stringify(manifest));
  const superuser = new URL(url);
  superuser.username = 'postgres';
  superuser.pathname = '/postgres';
  superuser.password = await readPassword(home);
  const client = new Client({ connectionString: superuser.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Keeps PostgreSQL from recycling write-ahead log that the copy needs. The slot is temporary and ends with the
    // connection.
    await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [
      `backup_${process.pid}`,
    ]);
    await client.query(`select pg_backup_start('app', true)`);
    await packFolder(archive, home, 'postgres', (path) => !leftOut.test(path));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await packFile(archive, 'postgres/backup_label', rows[0]!.labelfile);
    await packFolder(archive, join(home, 'pg_wal'), 'postgres/pg_wal', (path) =>
      /^[0-9A-F]{24}$|\.history$/.test(path),
    );
  } finally {
    await client.end();
  }
  // Packed after the database, so that the Stripe simulator's journal contains every payment in the database, and so
  // that no stored file is missing: each file is written before its row.
  for (const path of others) {
    const source = join(dataDir, path);
    if (!isFolder(path)) await packIfThere(archive, source, path);
    else if (await exists(source)) await packFolder(archive, source, pathOf(path), () => true);
  }
}

async function packFolder(
  archive: Pack,
  folder: string,
  as: string,
  isIncluded: (path: string) => boolean,
  inside = '',
): Promise<void> {
  const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch((error) => {
    // A stored file's folder is deleted with the file, which can happen during a backup.
    if (error.code === 'ENOENT' && inside) return [];
    throw error;
  });
  archive.entry({ name: `${join(as, inside)}/`, type: 'directory', mode: 0o700 });
  for (const entry of entries) {
    const path = inside ? `${inside}/${entry.name}` : entry.name;
    if (!isIncluded(path)) continue;
    if (entry.isDirectory()) await packFolder(archive, folder, as, isIncluded, path);
    else if (entry.isFile()) await packIfThere(archive, join(folder, path), `${as}/${path}`);
  }
}

async function packFile(archive: Pack, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await pipeline([bytes], archive.entry({ name, size: bytes.length, mode: 0o600 }));
}

/** Packs a file if it exists: a table's file may be gone if the table was dropped during the backup. */
async function packIfThere(archive: Pack, source: string, name: string): Promise<void> {
  const handle = await open(source).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return;
  try {
    const { size } = await handle.stat();
    await pipeline(readExactly(handle, size), archive.entry({ name, size, mode: 0o600 }));
  } finally {
    await handle.close();
  }
}

/**
 * Yields exactly `size` bytes, truncating a file that the server is changing or padding it with zeros: a tar entry
 * states its size before its content.
 */
async function* readExactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(left, 1 << 18)));
    // Past the end of the file, the buffer is all zeros.
    const piece = bytesRead > 0 ? buffer.subarray(0, bytesRead) : buffer;
    yield piece;
    left -= piece.length;
  }
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(Boolean, () => false);
}

/** Flushes a folder to disk, so that the names in it survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
