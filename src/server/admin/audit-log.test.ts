import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { openReviews } from '#server/reviews/reviews.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addTemplate, writeSales } from '#server/test-support/lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitCompleteApplication } from '#server/verification/applications/applications.test-support.ts';
import { addDocument } from '#server/verification/verification.test-support.ts';

const app = setUpTestApp();
const family = openFamily(app);
const admin = beforeTests(() => app.signIn('admin'));

const read = async (input: Record<string, unknown>) =>
  (await app.call(admin, adminApi.listAudit, input)).body.entries;

type Entry = {
  at?: string;
  action: string;
  actorUserId?: string;
  subjectId?: string;
  before?: unknown;
  after?: unknown;
};

const write = (entries: Entry[], subjectType = 'setting') =>
  app.db
    .insertInto('auditLog')
    .values(
      entries.map(({ at, action, actorUserId = admin.userId, subjectId = 'brand', before, after }) => ({
        ...(at && { at }),
        ...{ action, actorUserId, subjectType, subjectId },
        before: before === undefined ? null : JSON.stringify(before),
        after: after === undefined ? null : JSON.stringify(after),
      })),
    )
    .execute();

test('finds events by London day, even around a clock change [ROLE-6e]', async () => {
  // The clocks go forward on 28 March 2990, later than any real event. That day begins at 00:00 UTC and ends at 23:00
  // UTC.
  await write([
    { at: '2990-03-27T23:59:59Z', action: 'day.before' },
    { at: '2990-03-28T00:00:00Z', action: 'day.first' },
    { at: '2990-03-28T22:59:59Z', action: 'day.last' },
    { at: '2990-03-28T23:00:00Z', action: 'day.after' },
  ]);
  const actions = async (input: Record<string, unknown>) => (await read(input)).map(({ action }) => action);
  const day = { from: '2990-03-28', to: '2990-03-28' };
  for (const more of [{}, { kind: 'settings' }, { search: admin.email }]) {
    expect(await actions({ ...day, ...more })).toEqual(['day.last', 'day.first']);
  }
  expect(await actions({ ...day, kind: 'payouts' })).toEqual([]);
  expect(await actions({ ...day, search: 'nobody-like-this' })).toEqual([]);
  expect(await actions({ to: '2990-03-27', from: '2990-03-01' })).toEqual(['day.before']);
  expect(await actions({ from: '2990-03-29' })).toEqual(['day.after']);
  const [newest] = await read({ ...day, limit: 1 });
  expect(await actions({ ...day, cursor: newest!.auditId })).toEqual(['day.first']);
  const backwards = await app.call(admin, adminApi.listAudit, { from: '2990-03-28', to: '2990-03-27' });
  expect([backwards.status, backwards.error?.fields]).toEqual([
    422,
    { to: "The last day can't be before the first day." },
  ]);
});

const nameOf = async (who: Someone) =>
  (await app.call(who, accountsApi.getProfile, {})).body.profile!.fullName;

/** Creates records that the audit log names; returns the id and name of each, by kind. */
async function addRecords(coach: Someone, fullName: string): Promise<Record<string, [string, string]>> {
  const { business } = (await app.call(coach, businessesApi.saveBusiness, { businessName: 'Ace Tennis' }))
    .body;
  const { invitation } = (await app.call(coach, invitationsApi.inviteCoach, { email: 'guest@test.example' }))
    .body;
  const court = { name: 'Court 3', address: '', city: 'Leeds', postcode: 'LS1 4DY' };
  const { location } = (await app.call(coach, catalogueApi.createLocation, court)).body;
  const { payrunId } = await app.db
    .insertInto('payruns')
    .values({ createdBy: admin.userId, totalAmountCents: 100, paymentReference: 'MARCH PAY' })
    .returning('payrunId')
    .executeTakeFirstOrThrow();
  const templateId = await addTemplate(app.db, coach.userId, { title: 'Match play', isIndividual: true });
  const [bookingId] = await writeSales(app.db, coach.userId, [
    {
      ...{ templateId, coachId: coach.userId, startMs: Date.now() - 48 * 3_600_000 },
      ...{ priceCents: 5000, feeCents: 100, refundCents: 5000, feeBackCents: 100 },
    },
  ]);
  const { slotId, paymentId, refundId } = await app.db
    .selectFrom('bookings')
    .innerJoin('refunds', 'refunds.paymentId', 'bookings.paymentId')
    .select(['slotId', 'bookings.paymentId', 'refundId'])
    .where('bookingId', '=', bookingId!)
    .executeTakeFirstOrThrow();
  const participantId = await family.addChild(coach, { fullName: 'Mia Morgan' });
  await app.call(coach, calendarApi.createFeed, { scope: 'coach' });
  const { feedId } = await app.db
    .selectFrom('calendarFeeds')
    .select('feedId')
    .where('userId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  const { objectId } = await app.db
    .insertInto('storageObjects')
    .values({
      ...{ bucket: 'avatars', ownerUserId: coach.userId, path: `${coach.userId}/avatar` },
      ...{ contentId: randomUUID(), contentType: 'image/webp', bytes: 1, width: 1, height: 1 },
    })
    .returning('objectId')
    .executeTakeFirstOrThrow();
  const { refundRequestId } = await app.db
    .insertInto('refundRequests')
    .values({
      ...{ bookingId: bookingId!, amountCents: 500, borneBy: 'platform', reason: 'Rain' },
      ...{ needsSecondAdmin: false, status: 'waiting', askedBy: admin.userId },
    })
    .returning('refundRequestId')
    .executeTakeFirstOrThrow();
  const applicant = await app.signIn('customer');
  const applicantName = await nameOf(applicant);
  const { applicationId } = await submitCompleteApplication(app, applicant);
  const documentId = await addDocument(app, coach.userId, { kind: 'criminal_record_check' });
  const reviewId = await openReviews(app, await openClub(app)).publish(applicant, { coach });
  const sold = `Match play, ${fullName}`;
  return {
    business: [business!.businessId, 'Ace Tennis'],
    team_invitation: [invitation.invitationId, 'Ace Tennis'],
    location: [location.locationId, 'Court 3'],
    payrun: [payrunId, 'MARCH PAY'],
    lesson_template: [templateId, 'Match play'],
    lesson_slot: [slotId, 'Match play'],
    booking: [bookingId!, sold],
    payment: [paymentId, sold],
    refund: [refundId, sold],
    refund_request: [refundRequestId, sold],
    review: [reviewId, `${fullName}, ${applicantName}`],
    coach_application: [applicationId!, applicantName],
    coach_document: [documentId, `criminal record check, ${fullName}`],
    participant: [participantId, 'Mia Morgan'],
    calendar_feed: [feedId, fullName],
    picture: [objectId, fullName],
  };
}

test('names the people and records of events, and marks deleted accounts [ROLE-6d]', async () => {
  const gone = await app.signIn('customer');
  expect((await app.call(gone, ownAccountApi.deleteAccount, {})).error).toBeUndefined();
  const nobody = '7d3f6c1e-0000-4000-8000-00000000abcd';
  await write([{ action: 'by.gone', actorUserId: gone.userId, subjectId: gone.userId }], 'profile');
  await write([{ action: 'by.nobody', actorUserId: nobody, subjectId: nobody }], 'coach');
  const [byNobody, byGone] = await read({ limit: 2 });
  expect([byNobody!.action, byGone!.action]).toEqual(['by.nobody', 'by.gone']);
  for (const entry of [byNobody, byGone]) {
    expect(entry!.actor!.fullName).toBe('Deleted account');
    expect(entry!.subject!.fullName).toBe('Deleted account');
  }

  const coach = await app.signIn('coach', 'customer');
  const fullName = await nameOf(coach);
  const records = await addRecords(coach, fullName);
  for (const [subjectType, [subjectId]] of Object.entries(records)) {
    await write([{ action: 'record.changed', actorUserId: coach.userId, subjectId }], subjectType);
  }
  const entries = await read({ limit: Object.keys(records).length });
  expect(entries.reverse().map((entry) => [entry.subjectType, entry.subjectName])).toEqual(
    Object.entries(records).map(([subjectType, [, name]]) => [subjectType, name]),
  );
  for (const { actor, subject } of entries) {
    expect([actor!.fullName, subject]).toEqual([fullName, null]);
  }
});

test('exports the filtered events with London times and escaped formulas [ROLE-6b, ROLE-6e]', async () => {
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)'];
  await write([{ at: '2990-06-30T11:00:00Z', action: 'another.day' }]);
  for (const subjectId of evil) {
    const change = { before: { n: 'old' }, after: { n: 'a,"b"' } };
    await write([{ at: '2990-07-01T11:00:00Z', action: 'setting.changed', subjectId, ...change }]);
  }
  const fullName = await nameOf(admin);
  await write([{ at: '2990-07-02T11:00:00Z', action: 'another.day' }]);
  const { body } = await app.call(admin, adminApi.exportAudit, { from: '2990-07-01', to: '2990-07-01' });
  expect(body).toMatchObject({ entryCount: 4, isCut: false });
  expect(body.fileName).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  const [header, ...lines] = body.csv.trimEnd().split('\r\n');
  expect(header).toBe('london_time,who,who_email,what,kind,about,about_id,before,after');
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(
      line.startsWith(`2990-07-01 12:00:00,${fullName},${admin.email},Setting changed,setting,`),
      line,
    ).toBe(true);
    expect(line).toContain(',"{""n"":""old""}","{""n"":""a,\\""b\\""""}"');
  }
  const about = lines.map((line) => line.split(',')[6]);
  expect(about.sort()).toEqual(evil.map((text) => `'${text}`).sort());
  expect((await read({ limit: 1, kind: 'people' }))[0]).toMatchObject({
    action: 'audit_log.exported',
    after: { from: '2990-07-01', to: '2990-07-01', entries: 4 },
  });
  for (const [filter, count] of [
    [{ kind: 'settings' }, 4],
    [{ kind: 'payouts' }, 0],
    [{ search: admin.email }, 4],
    [{ search: 'nobody-like-this' }, 0],
  ] as const) {
    const matching = { from: '2990-07-01', to: '2990-07-01', ...filter };
    expect((await app.call(admin, adminApi.exportAudit, matching)).body.entryCount).toBe(count);
  }
});

test('exports the newest 5,000 events and reports that there are more [ROLE-6e]', async () => {
  const at = '2990-08-01T11:00:00Z';
  await write(Array.from({ length: 5001 }, (_, number) => ({ at, action: `entry.${number}` })));
  const { body } = await app.call(admin, adminApi.exportAudit, { from: '2990-08-01', to: '2990-08-01' });
  expect(body).toMatchObject({ entryCount: 5000, isCut: true });
  expect(body.csv).toContain('Entry 5000');
  expect(body.csv).not.toMatch(/,Entry 0,/);
});

test("refuses a change that would exceed an account's limit of audit events", async () => {
  const coach = await app.signIn('coach');
  const save = (bio: string) => app.call(coach, businessesApi.saveCoachProfile, { bio });
  expect((await save('One')).status).toBe(200);
  await app.db
    .updateTable('rateLimits')
    .set({ calls: 300 })
    .where('key', '=', `audit:${coach.userId}`)
    .execute();
  const refused = await save('Two');
  expect([refused.status, refused.error?.code]).toEqual([429, 'too_many_requests']);
  expect(refused.error?.message).toMatch(
    /^You've made a lot of changes\. Please try again in \d+ minutes\.$/,
  );
  const { bio } = (await app.call(coach, businessesApi.getCoachProfile, {})).body.coachProfile;
  expect(bio).toBe('One');
});

test('requires a fresh proof of identity to export the audit log [ROLE-9]', async () => {
  const owner = await app.signIn('admin');
  const confirmedAt = new Date(Date.now() - 16 * 60_000).toISOString();
  await app.db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', owner.userId).execute();
  expect((await app.call(owner, adminApi.exportAudit, {})).error?.code).toBe('confirmation_required');
  const actions = (await read({ search: owner.email })).map(({ action }) => action);
  expect(actions).not.toContain('audit_log.exported');
  expect((await app.call(owner, adminApi.listAudit, {})).status).toBe(200);
});

test('lets only admins read and export the audit log [ROLE-4]', async () => {
  for (const who of [await app.signIn('customer', 'coach'), null]) {
    for (const endpoint of [adminApi.listAudit, adminApi.exportAudit]) {
      expect((await app.call(who, endpoint, {})).status).toBe(who ? 403 : 401);
    }
  }
});
