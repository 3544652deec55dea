import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type ExportName, exportNames, exportsApi } from '#domain/admin/exports-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { bookTogether } from '#server/bookings/booking/checkouts.test-support.ts';
import { refundBooking } from '#server/bookings/refunds/refund-booking.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => expectNoOpenCursor());

const today = () => wallTimeOf(Date.now()).date;
const thisYear = () => ({ from: addDays(today(), -364), to: addDays(today(), 1) });
const ask = (records: ExportName, period = thisYear()) =>
  app.call(admin, exportsApi.exportRecords, { records, ...period });

/** The lines of an export below its header. */
async function readLines(records: ExportName, period: { from: string; to: string }): Promise<string[]> {
  const { csv } = await outputOf(ask(records, period));
  return csv.trimEnd().split('\r\n').slice(1);
}

/** The rows of an export as objects by column name; none of the cells in these tests contains a comma. */
async function readRows(records: ExportName): Promise<Record<string, string>[]> {
  const { csv } = await outputOf(ask(records));
  const [header, ...lines] = csv.trimEnd().split('\r\n');
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell])));
}

/** Waits until no export holds a transaction. */
const expectNoOpenCursor = () =>
  eventually(async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(app.db);
    return rows[0]!.open === 0;
  });

test('exports the bookings of a period with figures from the ledger [CONNECT-5a]', async () => {
  const customer = await club.join();
  const slotIds = [await club.publish(), await club.publish({ priceCents: 3000 })];
  const { bookings } = await bookTogether(app, customer, slotIds);
  const bookingIds = slotIds.map(
    (slotId) => bookings.find((booking) => booking.slotId === slotId)!.bookingId,
  );
  const [first, second] = bookingIds as [string, string];
  await app.db
    .transaction()
    .execute((tx) => refundBooking(tx, { bookingId: first, cents: 1000, borneBy: 'coach' }));
  const rows = await readRows('bookings');
  const rowOf = (bookingId: string) => rows.find((row) => row.booking_id === bookingId);
  expect(rowOf(first)).toMatchObject({
    ...{ reference: first.slice(0, 8), status: 'booked', lesson: 'Tennis basics', currency: 'GBP' },
    ...{ price: '50.00', charged: '50.00', refunded: '10.00', platform_fee: '0.80' },
    ...{ coach_share: '39.20', paid_to_coach: '0.00' },
    booked_at: expect.stringMatching(new RegExp(`^${today()} \\d\\d:\\d\\d:\\d\\d$`)),
  });
  expect(rowOf(second)).toMatchObject({ price: '30.00', refunded: '0.00', coach_share: '29.40' });
  // A joint payment has a row for each booking; the refund has one row, for the refunded booking.
  const payments = (await readRows('payments')).filter(({ booking }) =>
    bookingIds.some((bookingId) => bookingId.startsWith(booking!)),
  );
  expect(payments.map(({ kind, amount, borne_by, card }) => [kind, amount, borne_by, card]).sort()).toEqual([
    ['payment', '30.00', '', 'visa 4242'],
    ['payment', '50.00', '', 'visa 4242'],
    ['refund', '-10.00', 'coach', 'visa 4242'],
  ]);
  expect(new Set(payments.map((row) => row.payment_id)).size).toBe(1);
  const none = await outputOf(ask('bookings', { from: '2020-01-01', to: '2020-01-31' }));
  expect(none.fileName).toBe('bookings-2020-01-01-to-2020-01-31.csv');
  expect(none.csv.split('\r\n')).toHaveLength(2);
});

test('exports payruns with their returned payments [CONNECT-5a]', async () => {
  const coach = await addPayableCoach(app);
  const bookingIds = await writeSoldLessons(app, coach, { count: 2, endedAt: Date.now() - 3_600_000 });
  const { payrun } = await outputOf(
    app.call(admin, payoutsApi.createPayrun, { bookingIds, paymentReference: 'LESSONS' }),
  );
  const { payrunId } = payrun;
  const readPaid = async () => {
    const rows = await readRows('bookings');
    return rows.filter((row) => bookingIds.includes(row.booking_id!)).map((row) => row.paid_to_coach);
  };
  await outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId }));
  expect(await readPaid()).toEqual(['49.00', '49.00']);
  const returned = { payrunId, coachId: coach.userId, reason: 'Account closed' };
  await outputOf(app.call(admin, payrunApi.enterReturn, returned));
  expect(await readPaid()).toEqual(['0.00', '0.00']);
  const rows = (await readRows('payruns')).filter((row) => row.payrun === payrunId.slice(0, 8));
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    ...{
      payment_reference: 'LESSONS',
      status: 'paid',
      kind: 'lesson',
      amount: '49.00',
      lesson: 'Match play',
    },
    paid_at: expect.stringMatching(/^\d{4}-/),
    returned_at: expect.stringMatching(/^\d{4}-/),
  });
});

test('exports only records created in the period [CONNECT-5a]', async () => {
  const coach = await addPayableCoach(app);
  const bookingIds = await writeSoldLessons(app, coach, { count: 1, endedAt: Date.now() - 3_600_000 });
  await outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds }));
  const day = today();
  const [yesterday, tomorrow] = [addDays(day, -1), addDays(day, 1)];
  for (const records of exportNames) {
    expect(await readLines(records, { from: day, to: day }), records).not.toEqual([]);
    expect(await readLines(records, { from: tomorrow, to: tomorrow }), records).toEqual([]);
    expect(await readLines(records, { from: addDays(day, -300), to: yesterday }), records).toEqual([]);
  }
});

test('escapes formulas, and records who exported what [CONNECT-5a, CONNECT-5b]', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const evil = '=HYPERLINK("http://evil.example")';
  await app.db
    .updateTable('profiles')
    .set({ fullName: evil })
    .where('userId', '=', customer.userId)
    .execute();
  const { csv } = await outputOf(ask('bookings'));
  const line = csv.split('\r\n').find((row) => row.includes(bookingId));
  expect(line).toContain(`,"'=HYPERLINK(""http://evil.example"")",`);
  const event = await app.db
    .selectFrom('auditLog')
    .select(['actorUserId', 'subjectId', 'after'])
    .where('action', '=', 'records.exported')
    .orderBy('auditId', 'desc')
    .executeTakeFirstOrThrow();
  expect(event).toEqual({ actorUserId: admin.userId, subjectId: 'bookings', after: thisYear() });
  for (const records of exportNames) {
    await outputOf(ask(records));
    const last = app.db
      .selectFrom('auditLog')
      .select(['actorUserId', 'subjectId'])
      .orderBy('auditId', 'desc');
    expect(await last.executeTakeFirstOrThrow()).toEqual({ actorUserId: admin.userId, subjectId: records });
  }
  const long = await ask('bookings', { from: '2024-01-01', to: '2025-06-30' });
  expect(long.error!.fields).toEqual({ to: 'A file can cover up to a year. Export each year separately.' });
});

/** Sends the request of an export and returns the response before its body has been read. */
const open = (person: Someone, signal?: AbortSignal) =>
  fetch(`${app.url}${exportsApi.exportRecords.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ records: 'bookings', ...thisYear() }),
    signal: signal ?? null,
  });

test('streams a long export while the client reads it, at most two exports at once [CONNECT-5c]', async () => {
  const coach = await addPayableCoach(app);
  // More lessons than the export reads at a time.
  await writeSoldLessons(app, coach, { count: 600, endedAt: Date.now() - 3_600_000 });
  // A long name makes the file larger than the 24 MB that the sockets between server and test can buffer.
  await app.db
    .updateTable('profiles')
    .set({ fullName: 'Long name '.repeat(4000) })
    .where('userId', '=', coach.userId)
    .execute();
  const calls = await Promise.all(
    [1, 2, 3].map(async () => {
      const abort = new AbortController();
      return { abort, response: await open(admin, abort.signal) };
    }),
  );
  const [read, left, busy] = calls.toSorted((a, b) => a.response.status - b.response.status);
  expect([read, left, busy].map((call) => call!.response.status)).toEqual([200, 200, 503]);
  expect(await busy!.response.json()).toMatchObject({
    error: { message: 'Other exports are running. Please try again in a minute.' },
  });
  // A client that disconnects ends its export, and the next one can start.
  left!.abort.abort();
  await eventually(async () => (await ask('payruns')).status === 200);
  const { csv } = JSON.parse(await read!.response.text());
  const ids = csv.match(/[0-9a-f-]{36}/g);
  expect(new Set(ids).size).toBe(ids.length);
  expect(csv.split('\r\n').length).toBeGreaterThan(600);
});

test('closes the connection if the database fails halfway [CONNECT-5c]', async () => {
  const response = await open(admin);
  expect(response.status).toBe(200);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(app.db);
  await expect(response.text().then(({ length }) => length)).rejects.toThrow();
});
