import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { adminCareApi } from '#domain/admin/care-contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { exportNames, exportsApi } from '#domain/admin/exports-contract.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { findTables } from '#server/account/find-text.test-support.ts';
import { pickDigests } from '#server/bookings/reminders/pick-digests.ts';
import { pickReminders } from '#server/bookings/reminders/pick-reminders.ts';
import { renderDiscover } from '#server/discover/render-discover.tsx';
import { kindText, openReviews } from '#server/reviews/reviews.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { newMarker, openFamily } from '#server/test-support/family.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  startTestApp,
} from '#server/test-support/test-app.test-support.ts';
import { type PushService, startPushService } from '#tools/push-service/push-service.ts';

const lines: string[] = [];
const metricsToken = 'metrics-of-the-care-test-0123456789abcdef';
const service = {} as PushService;
beforeAll(async () => void Object.assign(service, await startPushService()));
const app = beforeTests(() =>
  startTestApp({
    env: { PUSH_SERVICE_BASE: service.url, LOG_LEVEL: 'trace', METRICS_TOKEN: metricsToken },
    logTo: { write: (line) => void lines.push(line) },
  }),
);
const club = beforeTests(() => openClub(app));
afterAll(async () => {
  await app.stop?.();
  await service.stop();
});

/** The texts that only guardians, coaches and, with a reason, admins may read; and a child's names. */
const marker = newMarker();
const names = ['First', 'Known', 'Surname'].map((kind) => newMarker().replace('marker', kind));
const [firstName, knownAs, surname] = names as [string, string, string];
const care = {
  notes: {
    ...{ medical: `Asthma ${marker}`, allergies: `Nuts ${marker}`, medication: `Inhaler ${marker}` },
    ...{ access: `Ramp ${marker}`, learning: `Signs ${marker}` },
  },
  contacts: [{ name: `Alex ${marker}`, telephone: '0113 496 0000', relation: `Aunt ${marker}` }],
  collection: { mayLeaveAlone: false, collectors: [`Sam ${marker}`], password: `Otter ${marker}` },
};

async function turnPushOn(who: Someone): Promise<void> {
  await app.call(who, pushApi.subscribe, service.subscribe(app.config.push!.publicKey));
  await app.call(who, notificationsApi.removeQuietHours, {});
}

/** The whole response to a call, as text. */
const textOf = async <E extends Endpoint>(who: Someone | null, endpoint: E, input: InputOf<E>) => {
  const { status, body } = await app.call(who, endpoint, input);
  expect(status, endpoint.operationId).toBe(200);
  return JSON.stringify(body);
};
/** Runs the exports one after another, because only two may run at the same time. */
async function exportAll(admin: Someone, period: { from: string; to: string }): Promise<string> {
  const exports: string[] = [];
  for (const records of exportNames) {
    exports.push(await textOf(admin, exportsApi.exportRecords, { records, ...period }));
  }
  return exports.join('\n');
}
const pageOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(path.startsWith('http') ? path : app.url + path, { headers })).text();

const emailsAbout = (subject: RegExp, count = 1) =>
  eventually(
    async () => (await app.listEmails()).filter((email) => subject.test(email.subject)).length >= count,
  );

test('keeps care details out of emails, feeds, downloads, searches and logs [PART-6, PART-12d]', async () => {
  const family = openFamily(app);
  const { coach } = club;
  const [admin, stranger, parent, other] = [
    await app.signIn('admin'),
    await app.signIn('customer', 'coach'),
    await club.join(),
    await club.join(),
  ];
  for (const who of [coach, parent, other, admin]) await turnPushOn(who);
  const feeds = [
    (await app.call(coach, calendarApi.createFeed, { scope: 'coach' })).body.address,
    (await app.call(parent, calendarApi.createFeed, { scope: 'customer' })).body.address,
  ];
  const participantId = await family.addChild(parent, {
    ...{ fullName: `${firstName} ${surname}`, knownAs: `${knownAs} ${surname}` },
  });
  await family.shareWith(parent, other, participantId);
  await family.saveCare(parent, participantId, care);
  await family.saveCare(parent, parent.userId, care);

  // Causes notifications about the child's lessons.
  const [first, second] = [await club.publish({ startsInHours: 30 }), await club.publish()];
  const booked = await family.bookFor(parent, first, participantId);
  await family.bookFor(parent, second, participantId);
  await club.book(parent, first);
  await emailsAbout(/^Booked:/, 5);
  await app.call(coach, announcementsApi.send, { slotId: first, text: 'Bring water', expectedRecipients: 2 });
  const date = addDays(wallTimeOf(Date.now()).date, 9);
  await app.call(coach, lessonsApi.moveSlot, { slotId: second, date, hour: 9, minute: 0 });
  await emailsAbout(/^New time:/, 2);
  await club.putAt(first, 24 * 60 - 5);
  await sql`update bookings set booked_at = now() - interval '2 days'`.execute(app.db);
  // The recurring job does the same every minute, and may run first.
  await eventually(async () => {
    await sql`update reminder_progress set picked_until = now() - interval '1 hour'`.execute(app.db);
    await pickReminders(app.db);
    return (await app.listEmails()).filter(({ subject }) => subject.startsWith('Reminder:')).length >= 2;
  });
  await sql`update reminder_progress set picked_until = now() - interval '2 days' where kind = 'tomorrow'`.execute(
    app.db,
  );
  await pickDigests(app.db, Date.parse(`${wallTimeOf(Date.now()).date}T20:00:00Z`));
  await app.call(parent, careApi.giveConsent, {
    ...{ participantId, kind: 'photos', choice: 'club', textVersion: consentTexts.photos.version },
  });
  await app.call(parent, careApi.giveConsent, {
    ...{ participantId, kind: 'photos', choice: 'none', textVersion: consentTexts.photos.version },
  });
  await emailsAbout(/^A consent was withdrawn/);
  expect(await textOf(coach, registerApi.open, { slotId: first }), 'the search can find it').toContain(
    marker,
  );
  expect(await textOf(other, careApi.getCare, { participantId })).toContain(marker);
  await app.call(admin, adminCareApi.open, { participantId, reason: 'The family asked us to look.' });
  await emailsAbout(/^An admin opened/, 2);
  await app.call(coach, lessonsApi.cancelSlot, { slotId: second, reason: 'Rain' });
  await emailsAbout(/^Cancelled:/, 2);
  // Produces refusals and failures, which are logged.
  await app.call(parent, careApi.saveCare, { ...care, participantId, contacts: [] });
  await app.call(stranger, careApi.saveCare, { ...care, participantId });
  await sql`alter table participant_care add constraint broken check (false) not valid`.execute(app.db);
  expect((await app.call(parent, careApi.saveCare, { ...care, participantId })).status).toBe(500);
  await sql`alter table participant_care drop constraint broken`.execute(app.db);
  await sql`alter table participants add constraint broken check (false) not valid`.execute(app.db);
  const renamed = await app.call(parent, participantsApi.update, { participantId, knownAs: `M ${surname}` });
  expect(renamed.status).toBe(500);
  await sql`alter table participants drop constraint broken`.execute(app.db);
  await eventually(async () => lines.filter((line) => line.includes('request failed')).length === 2);

  // The evidence that the bank reads about a disputed payment.
  const { bookingId } = booked.body;
  const [ofChild] = await club.readBookings(first);
  const { id: disputeId } = await changeInStripe(app, 'disputes', {
    payment_intent: ofChild!.stripePaymentIntentId,
  });
  await eventually(
    async () =>
      (await app.call(admin, disputesApi.sendEvidence, { disputeId, statement: '' })).status === 200,
  );
  const evidence = await eventually(async () => {
    const sent = await app.cards.disputes.retrieve(disputeId);
    return sent.evidence_details.submission_count === 1 && JSON.stringify(sent.evidence);
  });
  // The child's family also reviews the coach, in public.
  const reviews = openReviews(app, club);
  await reviews.publish(parent, { participantId });

  const period = {
    from: addDays(wallTimeOf(Date.now()).date, -3),
    to: addDays(wallTimeOf(Date.now()).date, 1),
  };

  const jobs = await sql<{ all: string | null }>`
    select string_agg(payload::text, ' ') as all from graphile_worker._private_jobs`.execute(app.db);
  const foreign = {
    emails: JSON.stringify(await app.listEmails()),
    pushes: JSON.stringify(service.messages),
    notifications: await textOf(parent, notificationsApi.listNotifications, {}),
    'notifications of the coach': await textOf(coach, notificationsApi.listNotifications, {}),
    feeds: (await Promise.all(feeds.map((address) => pageOf(address)))).join('\n'),
    Stripe: JSON.stringify(await app.stripeSimulator.ledger()),
    "the coach's download": await textOf(coach, ownAccountApi.getOwnData, ownProof),
    "an admin's download": await textOf(admin, ownAccountApi.getOwnData, ownProof),
    "the coach's payments": await textOf(coach, earningsApi.exportPayments, {}),
    evidence: evidence as string,
    dispute: await textOf(admin, disputesApi.getDispute, { disputeId }),
    exports: await exportAll(admin, period),
    desk: await textOf(admin, deskApi.get, { bookingId }),
    'search at the desk': await textOf(admin, deskApi.search, { search: marker }),
    'the audit log': await textOf(admin, adminApi.exportAudit, {}),
    attendees: await textOf(coach, lessonsApi.listAttendees, { slotId: first }),
    log: lines.join('\n'),
    discover: await textOf(null, discoverApi.discoverSlots, { search: marker }),
    coaches: await textOf(null, businessesApi.searchCoaches, { search: marker }),
    people: await textOf(admin, adminApi.listUsers, { search: marker }),
    booking: await textOf(other, bookingsApi.getMine, { bookingId: booked.body.bookingId }),
    metrics: await pageOf('/metrics', { authorization: `Bearer ${metricsToken}` }),
    jobs: jobs.rows[0]!.all ?? '',
  };
  for (const [what, text] of Object.entries(foreign)) expect(text, what).not.toContain(marker);
  expect(await findTables(app.db, marker)).toEqual([]);
  expect(foreign.emails.length).toBeGreaterThan(10_000);
  expect(service.messages.length).toBeGreaterThan(2);
  expect(lines.length).toBeGreaterThan(50);

  // A participant's name is neither public nor passed to other companies.
  const pages: Record<string, string> = {};
  for (const path of [
    ...['/', `/coaches/${coach.userId}`, `/coaches/${coach.userId}/reviews`, '/reviews-policy'],
    ...['/sitemap.xml', '/api/slots', `/api/slots/${first}`],
  ]) {
    const response = await fetch(app.url + path);
    expect(response.status, path).toBe(200);
    pages[path] = await response.text();
  }
  expect(pages[`/coaches/${coach.userId}/reviews`]).toContain(kindText);
  // The server serves this page only once the app is built.
  const discover = await renderDiscover('', {
    product: (await app.call(null, settingsApi.getProduct, {})).body,
    discover: async () => (await app.call(null, discoverApi.discoverSlots, {})).body,
  });
  pages.discover = JSON.stringify(discover);
  expect(pages.discover).toContain('Tennis basics');
  const searches: Record<string, string> = {};
  for (const search of names) {
    searches[`discover for ${search}`] = await textOf(null, discoverApi.discoverSlots, { search });
    searches[`coaches for ${search}`] = await textOf(null, businessesApi.searchCoaches, { search });
    searches[`people for ${search}`] = await textOf(admin, adminApi.listUsers, { search });
  }
  const open = Object.entries({ ...pages, ...searches });
  for (const [what, text] of open) for (const name of names) expect(text, what).not.toContain(name);
  const byName = {
    ...{ pushes: foreign.pushes, feeds: foreign.feeds, Stripe: foreign.Stripe, log: foreign.log },
    evidence: foreign.evidence,
    "a stranger's download": await textOf(stranger, ownAccountApi.getOwnData, ownProof),
  };
  for (const [what, text] of Object.entries(byName)) expect(text, what).not.toContain(surname);
  expect(foreign.emails, 'emails do name the child').toContain(surname);
});
