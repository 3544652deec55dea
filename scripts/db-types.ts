// Writes what follows from the migrated database into the repository: the types for queries
// (platform/db/db-types.ts), a dump for reviews (migrations/schema.sql), the checksums of new migrations, and the document
// of the register of personal data (docs/privacy.md). It needs a PostgreSQL server for a scratch database (DATABASE_URL)
// and pg_dump of the same version.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describePersonalData } from '#server/account/describe-personal-data.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { addChecksums, checksumsPath } from './migration-checksums.ts';

const server = process.env.DATABASE_URL;
if (!server) {
  console.error('Set DATABASE_URL to a PostgreSQL server on which a scratch database may be made.');
  process.exit(1);
}

const union = (...values: string[]) => values.map((value) => `"${value}"`).join(' | ');
const bookingStatus = union('pending', 'booked', 'attended', 'cancelled', 'refunded', 'released');
const columns = {
  'profiles.roles': `Generated<(${union('customer', 'coach', 'admin')})[]>`,
  'bookings.status': `Generated<${bookingStatus}>`,
  // Filled in by a trigger where they are left out.
  'bookings.title': 'Generated<string>',
  'bookings.description': 'Generated<string>',
  'bookings.sport': 'Generated<string>',
  'bookings.coach_name': 'Generated<string>',
  'bookings.cancelled_by': `${union('customer', 'coach', 'platform')} | null`,
  'coaches.business_role': `Generated<${union('owner', 'employee')}>`,
  'business_invitations.status': `Generated<${union('pending', 'accepted', 'declined', 'withdrawn')}>`,
  'lesson_templates.lesson_type': union('individual', 'group'),
  'lesson_slots.lesson_type': union('individual', 'group'),
  'lesson_slots.status': `Generated<${union('scheduled', 'cancelled', 'completed')}>`,
  'payments.status': `Generated<${union('processing', 'requires_action', 'succeeded', 'failed')}>`,
  'refunds.status': `Generated<${union('pending', 'succeeded', 'failed', 'settled')}>`,
  'refunds.reason': union('customer_cancelled', 'coach_cancelled', 'seat_lost', 'paid_after_release'),
  'coach_bank_details.recipient_type': `Generated<${union('Individual', 'Business')}>`,
  'ledger_entries.kind': union('charged', 'fee', 'refunded', 'fee_refunded', 'paid_out', 'paid_back'),
  'payruns.status': `Generated<${union('pending', 'paid', 'cancelled')}>`,
  'payruns.currency': `Generated<${union('GBP')}>`,
  'payrun_recipients.recipient_type': union('Individual', 'Business'),
  'payrun_recipients.bank_country': union('GB'),
  'payrun_items.kind': union('lesson', 'carried_forward'),
  'factors.status': `Generated<${union('unverified', 'verified')}>`,
  'sessions.method': `Generated<${union('password', 'recovery')}>`,
  'one_time_tokens.purpose': union('signup', 'recovery', 'email_change'),
};
const mapping = { timestamptz: 'string', int8: 'number', tstzrange: 'string', tsvector: 'string' };

const name = `app_types_${process.pid}`;
const scratch = new URL(server);
scratch.pathname = `/${name}`;
const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`create database ${name}`);
try {
  await migrate(scratch.href);
  const types = join(packageRoot, 'src/server/platform/db/db-types.ts');
  const options = [
    ...['--url', scratch.href, '--dialect', 'postgres', '--camel-case', '--out-file', types],
    ...['--include-pattern', 'public.*', '--exclude-pattern', '*schema_migrations'],
    ...['--type-mapping', JSON.stringify(mapping), '--overrides', JSON.stringify({ columns })],
  ];
  // The generator complains that TypeScript 7 has no parser and then writes the overrides as they are, which is what
  // we need; a real failure still ends with another exit code than 0.
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
  console.log(
    `Wrote ${types} (${readFileSync(types, 'utf8').split('\n').length} lines), migrations/schema.sql, ${checksumsPath} and docs/privacy.md`,
  );
} finally {
  await admin.query(`drop database ${name}`);
  await admin.end();
}
