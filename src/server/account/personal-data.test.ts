import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { expect, expectTypeOf, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { locationInput } from '#domain/catalogue/location.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { writeProgressRows } from '#server/progress/progress-rows.test-support.ts';
import { writeReviewRows } from '#server/reviews/review-rows.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily, plainCare } from '#server/test-support/family.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { fillTrustFile } from '#server/verification/verification.test-support.ts';
import { account, openCoachWithTexts } from './coach-with-texts.test-support.ts';
import { describePersonalData } from './describe-personal-data.ts';
import { personalData, personalTables } from './personal-data.ts';
import type { Register } from './personal-data-entry.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);

/** Database columns that the register does not list, and listed columns that do not exist, as "table.column". */
async function findDifferences(): Promise<string[]> {
  const { rows } = await sql<{ tableName: string; columnName: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations'`.execute(app.db);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const stored = rows.map(({ tableName, columnName }) => `${tableName}.${columnName}`);
  const listed = Object.entries(personalData).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${snake(table)}.${snake(column)}`),
  );
  return [
    ...stored.filter((column) => !listed.includes(column)),
    ...listed.filter((column) => !stored.includes(column)),
  ].sort();
}

/** The columns that the download omits. The download must contain all other columns. */
const leftOut = [
  ...['ageRequests.askedBy', 'assessments.businessId', 'bookings.isActive'],
  ...['businessInvitations.invitedBy', 'businessInvitations.tokenHash'],
  ...['calendarFeeds.tokenHash', 'cardFingerprints.cardHash', 'careReads.readBy', 'changes.xid'],
  ...['coachBankDetails.accountNumberEncrypted', 'coachBankDetails.sortCodeEncrypted'],
  ...['coachDocuments.checkedBy', 'coachDocuments.countsForMinors', 'coachDocuments.endsOn'],
  ...['coachApplications.decidedBy', 'coachDocuments.fileContentId', 'coachDocuments.numberEncrypted'],
  ...['coaches.minorsUntilAccessNi', 'coaches.minorsUntilDbs', 'coaches.minorsUntilPvg'],
  ...['coachingBusinesses.ownerRole', 'coachingBusinesses.ownerUserId', 'consents.givenBy'],
  ...['deliveries.addressHash', 'disputes.bookedBy', 'disputes.evidenceBy'],
  ...['documentOpenings.openedBy', 'documentOpenings.openingId'],
  ...['emailChanges.currentTokenHash', 'emailChanges.newTokenHash', 'factorChallenges.challengeId'],
  ...['factors.encryptedSecret', 'factors.lastStep', 'goals.businessId'],
  ...['guardianInvitations.invitedBy', 'guardianInvitations.participantId', 'guardianInvitations.tokenHash'],
  ...['lessonAnswers.answeredBy', 'lessonAnswers.businessId', 'lessonSlots.isOpen', 'lessonTemplates.search'],
  ...['lessonTemplates.searchWithLocations', 'locations.search', 'notifications.aboutUserId'],
  ...['notifications.userId', 'oneTimeTokens.passwordHash', 'oneTimeTokens.tokenHash'],
  ...['participantCare.careEncrypted', 'participants.ownUserId', 'payrunReturns.enteredBy'],
  ...['payrunRecipients.accountNumberEncrypted', 'payrunRecipients.sortCodeEncrypted'],
  ...['payruns.cancelledBy', 'payruns.createdBy', 'payruns.paidBy', 'profiles.livingUserId'],
  ...['pushSubscriptions.endpointHash', 'pushSubscriptions.subscriptionEncrypted'],
  ...['recoveryCodes.codeHash', 'refreshTokens.tokenHash'],
  ...['refundRequests.askedBy', 'refundRequests.decidedBy', 'refunds.settledBy'],
  ...['reviewCases.decidedBy', 'reviewCases.openedBy', 'reviewCases.openedHash'],
  ...['reviewInvitations.customerUserId', 'reviews.bookingId', 'reviews.cardHash', 'reviews.customerUserId'],
  ...['sessionNotes.businessId', 'storageObjects.contentId', 'storageObjects.keyEncrypted'],
  ...['storageReports.reporterHash', 'storageReports.reporterUserId', 'suppressions.addressHash'],
  ...['users.passwordHash', 'welfareConcerns.businessId', 'welfareConcerns.handledBy'],
];

test('lists every database column in the register and detects unlisted columns [AUTH-14a]', async () => {
  expect(await findDifferences()).toEqual([]);
  await sql`alter table profiles add column shoe_size int`.execute(app.db);
  await sql`create table diaries (entry text)`.execute(app.db);
  expect(await findDifferences()).toEqual(['diaries.entry', 'profiles.shoe_size']);
  await sql`alter table profiles drop column shoe_size`.execute(app.db);
  await sql`drop table diaries`.execute(app.db);
});

test("lets the register mark ids, but not text, as other people's data", () => {
  type Columns = Register['businessInvitations']['columns'];
  expectTypeOf<'others'>().toExtend<Columns['invitedBy']>();
  expectTypeOf<'others'>().not.toExtend<Columns['status']>();
});

test('describes the purpose, erasure and retention of every table in docs/privacy.md', async () => {
  await expect(describePersonalData()).toMatchFileSnapshot(join(packageRoot, 'docs', 'privacy.md'));
});

test('downloads everything the register lists about a person and nothing about others [AUTH-14a]', async () => {
  const admin = await app.signIn('admin');
  const { coach, slotIds } = await openCoachWithTexts(app, club, 'word');
  const customer = await club.join();
  const [paid, refunded] = [
    (await club.bookUntilDecided(customer, slotIds[0])).body.bookingId,
    (await club.bookUntilDecided(customer, slotIds[1])).body.bookingId,
  ];
  await app.call(customer, bookingsApi.cancel, { bookingId: refunded, expectedRefundCents: 5000 });
  const { paymentId } = (await club.readBookings(slotIds[0]))[0]!;
  const dispute = { disputeId: 'du_privacy', paymentId, status: 'won', amountCents: 5000 };
  await app.db.insertInto('disputes').values(dispute).execute();
  await club.putAt(slotIds[0], -180);
  const { body: made } = await app.call(admin, payoutsApi.createPayrun, { bookingIds: [paid] });
  const { payrunId } = made.payrun;
  expect((await app.call(admin, payoutsApi.markPayrunPaid, { payrunId })).status).toBe(200);
  const returned = { payrunId, coachId: coach.userId, reason: 'Account closed' };
  expect((await app.call(admin, payrunApi.enterReturn, returned)).status).toBe(200);
  await app.call(coach, invitationsApi.inviteCoach, { email: customer.email });
  const { userId } = customer;
  const insert = async (table: RawBuilder<unknown>) => sql`insert into ${table}`.execute(app.db);
  await insert(
    sql`factors (user_id, friendly_name, encrypted_secret) values (${userId}, 'Old phone', 'v1.encrypted')`,
  );
  await insert(sql`factor_challenges (factor_id, session_id)
    select factor_id, session_id from factors join sessions using (user_id)`);
  await insert(sql`recovery_codes (code_hash, user_id) values ('\\x01', ${userId})`);
  await insert(sql`email_changes (user_id, new_email) values (${userId}, 'next@privacy.example')`);
  await insert(sql`one_time_tokens (token_hash, user_id, purpose, expires_at)
    values ('\\x02', ${userId}, 'recovery', now())`);
  await insert(sql`external_refunds (stripe_refund_id, payment_id, amount_cents, status, made_at)
    values ('re_privacy', ${paymentId}, 700, 'canceled', now())`);
  await insert(sql`refund_requests
    (booking_id, amount_cents, borne_by, reason, needs_second_admin, status, asked_by, decided_by, decided_at)
    values (${paid}, 500, 'coach', 'Rain', false, 'declined', ${admin.userId}, ${admin.userId}, now())`);
  await insert(sql`calendar_feeds (user_id, scope, token_hash) values (${userId}, 'customer', '\\x03')`);
  await insert(
    sql`notification_preferences (user_id, kind, channel, is_on) values (${userId}, 'refund', 'inApp', false)`,
  );
  await insert(sql`quiet_hours (user_id, starts_at, ends_at) values (${userId}, '22:00', '06:00')`);
  await insert(sql`push_subscriptions (session_id, user_id, endpoint_hash, subscription_encrypted)
    select session_id, user_id, repeat('a', 64), 'v1.encrypted' from sessions where user_id = ${userId} limit 1`);
  await insert(sql`storage_objects (bucket, owner_user_id, path, content_id, content_type, bytes, width, height)
    values ('avatars', ${userId}, ${`${userId}/avatar`}, gen_random_uuid(), 'image/webp', 9, 9, 9)`);
  await insert(sql`storage_reports (object_id, reporter_hash, reason)
    select object_id, 'hash', 'Blurred' from storage_objects where owner_user_id = ${userId}`);
  await insert(sql`announcements (slot_id, coach_id, text, recipients)
    values (${slotIds[0]}, ${coach.userId}, 'Textword', 1)`);
  await family.saveCare(customer, userId, { ...plainCare, collection: null });
  const child = await family.addChild(customer);
  await insert(sql`care_reads (participant_id, read_by, reader_role, reason)
    values (${userId}, ${admin.userId}, 'admin', 'Reasonword')`);
  await insert(sql`guardian_invitations (participant_id, email, token_hash, invited_by, expires_at)
    values (${child}, ${customer.email}, '\\x04', ${coach.userId}, now())`);
  await insert(sql`age_requests (template_id, participant_id, asked_by)
    select template_id, ${child}, ${userId} from lesson_templates limit 1`);
  await writeProgressRows(app.db, { bookingId: paid, userId, coachId: coach.userId });
  await fillTrustFile(app, coach.userId, admin.userId);
  await writeReviewRows(app.db, { bookingId: paid, userId, coachId: coach.userId, adminId: admin.userId });
  await insert(sql`coach_ledger_months values (${coach.userId}, '2026-01-01', 1, 1, 1, 1)`);
  await insert(sql`coach_lesson_months values (${coach.userId}, '2026-01-01', 1, 1)`);
  await insert(sql`customer_coaches values (${userId}, ${coach.userId}, 1, 1, 60, now())`);
  const delivered = app.db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.notificationId', 'deliveries.notificationId')
    .select('status')
    .where('userId', '=', userId);
  await eventually(() => delivered.executeTakeFirst());
  await insert(sql`suppressions (address_hash, reason) values (hash_address(${customer.email}), 'bounced')`);

  const download = async (who: Someone) => {
    const { status, body } = await app.call(who, ownAccountApi.getOwnData, ownProof);
    expect(status).toBe(200);
    const rowsOf = (table: string) => body.records.find((record) => record.table === table)!.rows;
    return { text: JSON.stringify(body), rowsOf, records: body.records };
  };
  const own = await download(coach);
  expect(own.rowsOf('payrunRecipients')).toMatchObject([
    { accountName: 'Pat Privacy', maskedAccountNumber: '••••4958', amountCents: 4900 },
  ]);
  expect(own.rowsOf('coachDocuments')).toMatchObject([{ issuer: 'Issuerword', number: 'LTA-42' }]);
  expect(own.rowsOf('payrunItems')).toMatchObject([{ bookingId: paid, amountCents: 4900 }]);
  expect(own.rowsOf('payrunReturns')).toMatchObject([{ reason: 'Account closed' }]);
  expect(own.rowsOf('coachBankDetails')).toMatchObject([
    { accountName: 'Pat Privacy', maskedAccountNumber: '••••4958', maskedSortCode: '••-••-99' },
  ]);
  expect(own.rowsOf('ledgerEntries').map(({ kind }) => kind)).toContain('charged');
  const lesson = { title: 'Volleyword', priceCents: 5000 };
  expect(own.rowsOf('lessonSlots')).toMatchObject([lesson, lesson]);
  expect(own.records.map(({ table }) => table)).toEqual(personalTables.map(([table]) => table));
  expect(own.rowsOf('coachingBusinesses')).toMatchObject([
    { businessName: 'Firmword Tennis', businessAddress: 'Officeword Lane' },
  ]);
  expect(own.rowsOf('coaches')).toMatchObject([
    { bio: 'Bioword', coachType: 'Typeword', businessName: 'Firmword Tennis' },
  ]);
  expect(own.rowsOf('coachAddresses')).toMatchObject([{ coachId: coach.userId }]);
  expect(own.rowsOf('lessonTemplates')).toMatchObject([
    { title: 'Volleyword', description: 'Descriptionword', basePriceCents: 5000 },
  ]);
  expect(own.rowsOf('locations')).toMatchObject([
    { name: 'My garden', address: '7 Homeword Road', city: 'Leeds', postcode: 'LS1 4DY' },
  ]);
  expect(own.rowsOf('announcements')).toMatchObject([{ text: 'Textword', recipients: 1 }]);
  expect(own.rowsOf('auditLog')).toContainEqual(
    expect.objectContaining({ action: 'bank_details.added', actorUserId: coach.userId }),
  );
  expect(own.text).not.toContain('66374958');
  expect(own.text).not.toContain(customer.email);

  const theirs = await download(customer);
  expect(theirs.rowsOf('sessionNotes')).toMatchObject([{ body: 'Noteword', isShared: false }]);
  expect(theirs.text).not.toContain('Concernword');
  const { stripeCustomerId } = await app.db
    .selectFrom('profiles')
    .select('stripeCustomerId')
    .where('userId', '=', customer.userId)
    .executeTakeFirstOrThrow();
  expect(theirs.rowsOf('profiles')).toMatchObject([{ email: customer.email, stripeCustomerId }]);
  expect(theirs.rowsOf('users')).toMatchObject([{ email: customer.email, userId }]);
  const payment = { amountCents: 5000, cardBrand: 'visa', cardLastFour: '4242', status: 'succeeded' };
  expect(theirs.rowsOf('payments')).toMatchObject([payment, payment]);
  expect(theirs.rowsOf('bookings').map(({ title, coachName }) => [title, coachName])).toEqual([
    ['Volleyword', expect.stringMatching(/^Person/)],
    ['Volleyword', expect.stringMatching(/^Person/)],
  ]);
  expect(theirs.rowsOf('refunds')).toMatchObject([{ reason: 'customer_cancelled', amountCents: 5000 }]);
  expect(theirs.rowsOf('disputes')).toMatchObject([{ disputeId: 'du_privacy' }]);
  expect(theirs.rowsOf('refundRequests')).toMatchObject([{ reason: 'Rain', amountCents: 500 }]);
  const invitation = { businessName: 'Firmword Tennis', status: 'pending' };
  expect(theirs.rowsOf('businessInvitations')).toMatchObject([invitation]);
  expect(theirs.rowsOf('factors')).toMatchObject([{ friendlyName: 'Old phone' }]);
  const avatar = `/storage/v1/object/authenticated/avatars/${userId}/avatar`;
  expect(theirs.rowsOf('storageObjects')).toMatchObject([{ download: avatar }]);
  expect(theirs.rowsOf('sessions')).toHaveLength(1);
  expect(theirs.rowsOf('externalRefunds')).toMatchObject([{ amountCents: 700 }]);
  expect(theirs.rowsOf('emailChanges')).toMatchObject([{ newEmail: 'next@privacy.example' }]);
  expect(theirs.rowsOf('participantCare')).toMatchObject([{ care: { contacts: plainCare.contacts } }]);
  expect(theirs.rowsOf('coaches')).toEqual([]);
  expect(theirs.text).not.toMatch(/argon2|v1\.encrypted|"tokenHash"|"passwordHash"/);
  expect(theirs.text).not.toContain(coach.email);
  for (const { purpose, keptFor } of theirs.records) {
    expect(purpose).not.toBe('');
    expect(keptFor).not.toBe('');
  }

  const records = [own, theirs, await download(admin)].flatMap((one) => one.records);
  const filled = records.filter(({ rows }) => rows.length > 0);
  const tables = new Set(filled.map(({ table }) => table));
  expect(tables, 'a new table needs a row in this test').toEqual(
    new Set(personalTables.map(([table]) => table)),
  );
  const absent = filled.flatMap(({ table, rows }) =>
    Object.keys(personalData[table as keyof Register].columns)
      .filter((column) => rows.some((row) => !(column in row)))
      .map((column) => `${table}.${column}`),
  );
  expect([...new Set(absent)].sort()).toEqual([...leftOut].sort());
  // These totals match no bookings, so later checks of the ledger would report them.
  await sql`truncate customer_coaches, coach_ledger_months, coach_lesson_months`.execute(app.db);
});

test('records the names of changed fields in the audit log, without their values', async () => {
  const { coach } = await openCoachWithTexts(app, club, 'hidden');
  await app.call(coach, payoutsApi.saveBankDetails, { ...account, accountName: 'Pat Newhidden' });
  const entries = await app.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('actorUserId', '=', coach.userId)
    .orderBy('auditId')
    .execute();
  expect(JSON.stringify(entries)).not.toMatch(/hidden|Leeds|4958/);
  expect(entries).toContainEqual({
    action: 'bank_details.changed',
    before: {},
    after: { changed: ['accountName'] },
  });
  expect(entries).toContainEqual({
    action: 'location.created',
    before: null,
    after: { changed: Object.keys(locationInput.shape) },
  });
  const count = entries.length;
  const same = { bio: 'Biohidden', coachType: 'Typehidden' };
  expect((await app.call(coach, businessesApi.saveCoachProfile, same)).status).toBe(200);
  const { entries: after } = await app.db
    .selectFrom('auditLog')
    .select((of) => of.fn.countAll<number>().as('entries'))
    .where('actorUserId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  expect(after, 'saving without a change adds no event').toBe(count);
});
