import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeKinds, listCalls } from '#domain/changes.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { recordStatements } from '#server/test-support/record-statements.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();

const kinds = Object.entries(changeKinds).flatMap(([topic, calls]) =>
  Object.keys(calls).map((kind) => `${topic} ${kind}`),
);

test('lists only operations that the API has', () => {
  const known = readContracts();
  const named = Object.values(changeKinds).flatMap((calls) => Object.values(calls).flat());
  expect(named.filter((operationId) => !known.has(operationId))).toEqual([]);
});

test('lists each call under the kinds of change that affect its result [RT-5]', () => {
  const shown: [topic: string, kind: string, operationId: string][] = [
    ['admin', 'payable', 'admin_list_payable_bookings'],
    ['admin', 'payable', 'admin_list_payable_coaches'],
    ['admin', 'payruns', 'list_payruns'],
    ['admin', 'refunds', 'list_failed_refunds'],
    ['admin', 'pictures', 'list_reported_pictures'],
    ['admin', 'people', 'list_users'],
    ['admin', 'overview', 'get_overview'],
    ...['overview', 'payable', 'payruns', 'people', 'refunds', 'documents', 'reviews', 'applications'].map(
      (kind): [string, string, string] => ['admin', kind, 'get_admin_home'],
    ),
    ['coach', 'slots', 'list_coach_slots'],
    ['coach', 'slots', 'list_attendees'],
    ['coach', 'slots', 'get_coach_slot'],
    ['coach', 'earnings', 'list_payments'],
    ['coach', 'earnings', 'get_earnings'],
    ['coach', 'earnings', 'list_earnings'],
    ['user', 'bookings', 'list_my_bookings'],
    ['user', 'bookings', 'get_my_booking'],
    ['user', 'notifications', 'count_notifications'],
    ['user', 'notifications', 'list_notifications'],
  ];
  for (const [topic, kind, operationId] of shown) expect(listCalls(topic, kind)).toContain(operationId);
});

test('lists the kinds that the database records, and no others [BASE-9a]', async () => {
  const schema = await readFile(join(packageRoot, 'migrations/schema.sql'), 'utf8');
  const ofPeople = [...schema.matchAll(/record_change\('(user|coach)', [^']*?, '(\w+)'/g)];
  const ofAdmins = [...schema.matchAll(/record_change\('(admin)', '(\w+)'\)/g)];
  const recorded = new Set([...ofPeople, ...ofAdmins].map(([, topic, kind]) => `${topic} ${kind}`));
  expect([...recorded].sort()).toEqual(kinds.sort());
});

test('records a change in the transaction that makes it [BASE-9a]', async () => {
  const slotId = await (await openClub(app)).publish();
  const count = async (db: Database | Tx) =>
    (await db.selectFrom('changes').select('key').where('key', '=', slotId).execute()).length;
  const before = await count(app.db);
  const changing = app.db.transaction().execute(async (tx) => {
    await tx.updateTable('lessonSlots').set({ priceCents: 4000 }).where('slotId', '=', slotId).execute();
    expect(await count(tx)).toBe(before + 1);
    throw new Error('undone');
  });
  await expect(changing).rejects.toThrow('undone');
  expect(await count(app.db)).toBe(before);
});

test('takes a seat without issuing a NOTIFY [BASE-9b]', async () => {
  const schema = await readFile(join(packageRoot, 'migrations/schema.sql'), 'utf8');
  const ours = schema.split(/^CREATE FUNCTION /m).slice(1);
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.filter((body) => /\bnotify\b|pg_notify/i.test(body.split('$$;')[0]!))).toEqual([]);
  const club = await openClub(app);
  const slotId = await club.publish({ priceCents: 0 });
  const customer = await club.join(null);
  const statements = await recordStatements(() => club.book(customer, slotId, 0));
  const takesSeat = statements.filter(({ text }) => text.includes('booked_count + 1'));
  expect(takesSeat).toHaveLength(1);
  expect(takesSeat[0]!.text).not.toMatch(/add_job|notify/i);
});
