// Writes the files derived from the migrated database: the types for queries (platform/db/db-types.ts), a dump for
// reviews (migrations/schema.sql), the checksums of new migrations, and two documents: the register of personal data
// (docs/privacy.md) and the kinds of notifications (docs/notifications.md). Needs a PostgreSQL server for a scratch
// database (DATABASE_URL) and pg_dump of the same version.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describePersonalData } from '#server/account/describe-personal-data.ts';
import { describeKinds } from '#server/notifications/describe-kinds.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { addChecksums, checksumsPath } from './migration-checksums.ts';

const server = process.env.DATABASE_URL;
if (!server) {
  console.error('Set DATABASE_URL to a PostgreSQL server on which a scratch database may be created.');
  process.exit(1);
}

// A trigger fills these columns in if they are omitted.
const filledIn = ['title', 'description', 'sport', 'coach_name', 'participant_id'].map((column) => [
  `bookings.${column}`,
  'Generated<string>',
]);
// One value or, in braces, an array of them: '{customer,coach}'.
const values = /'\{?([\w,]+)\}?'/g;
const mapping = {
  timestamptz: 'string',
  date: 'string',
  int8: 'number',
  tstzrange: 'string',
  tsvector: 'string',
};

const name = `app_types_${process.pid}`;
const scratch = new URL(server);
scratch.pathname = `/${name}`;
const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`create database ${name}`);
try {
  await migrate(scratch.href);
  const columns = Object.fromEntries([...(await readUnions()), ...filledIn]);
  const types = join(packageRoot, 'src/server/platform/db/db-types.ts');
  const options = [
    ...['--url', scratch.href, '--dialect', 'postgres', '--camel-case', '--out-file', types],
    ...['--include-pattern', 'public.*', '--exclude-pattern', '*schema_migrations'],
    ...['--type-mapping', JSON.stringify(mapping), '--overrides', JSON.stringify({ columns })],
  ];
  // The generator complains that TypeScript 7 has no parser, then writes the overrides unchanged, as we need them. A
  // real failure still exits with a code other than 0.
  execFileSync(join(packageRoot, 'node_modules/.bin/kysely-codegen'), options, { stdio: 'ignore' });
  const dump = execFileSync('pg_dump', ['--schema-only', '--no-owner', '--schema=public', scratch.href], {
    encoding: 'utf8',
  });
  // Versions, settings and the random restriction token of a dump say nothing about the schema.
  const schema = dump
    .split('\n')
    .filter((line) => !/^(--.*|SET .*|SELECT pg_catalog\..*|\\(un)?restrict .*|)$/.test(line))
    .join('\n');
  writeFileSync(join(packageRoot, 'migrations/schema.sql'), `${schema}\n`);
  const migrations = readdirSync(join(packageRoot, 'migrations'))
    .sort()
    .map((file) => ({
      path: `migrations/${file}`,
      text: readFileSync(join(packageRoot, 'migrations', file), 'utf8'),
    }));
  const listed = migrations.find(({ path }) => path === checksumsPath)?.text ?? '';
  writeFileSync(join(packageRoot, checksumsPath), addChecksums(listed, migrations));
  writeFileSync(join(packageRoot, 'docs/privacy.md'), describePersonalData());
  writeFileSync(join(packageRoot, 'docs/notifications.md'), describeKinds());
  console.log(
    `Wrote ${types} (${readFileSync(types, 'utf8').split('\n').length} lines), migrations/schema.sql, ${checksumsPath}, docs/privacy.md and docs/notifications.md`,
  );
} finally {
  await admin.query(`drop database ${name}`);
  await admin.end();
}

/** TypeScript types of the columns with fixed values, from their check constraints `…_known` (decision 65). */
async function readUnions(): Promise<[column: string, type: string][]> {
  const database = new pg.Client({ connectionString: scratch.href });
  await database.connect();
  try {
    const { rows } = await database.query<{ column: string; check: string } & Record<string, boolean>>(`
      select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as check,
        a.attndims > 0 as is_array, not a.attnotnull as is_nullable, a.atthasdef as is_generated
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
      where c.contype = 'c' and right(c.conname, 6) = '_known'`);
    return rows.map(({ column, check, is_array, is_nullable, is_generated }) => {
      const unread = check.replaceAll(values, '');
      if (unread === check || unread.includes("'")) throw new Error(`no list of values: ${column}, ${check}`);
      const listed = [...check.matchAll(values)].flatMap(([, found]) => found!.split(','));
      const union = listed.map((value) => `"${value}"`).join(' | ');
      const type = `${is_array ? `(${union})[]` : union}${is_nullable ? ' | null' : ''}`;
      return [column, is_generated ? `Generated<${type}>` : type];
    });
  } finally {
    await database.end();
  }
}
