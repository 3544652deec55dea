import { expect, test } from 'vitest';
import { adminCareApi } from '#domain/admin/care-contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { exportsApi } from '#domain/admin/exports-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { updateServiceTextVersion } from '#domain/verification/update-service.ts';
import { openReviews } from '#server/reviews/reviews.test-support.ts';
import { addGalleryPicture } from '#server/storage/pictures.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitCompleteApplication } from '#server/verification/applications/applications.test-support.ts';
import { submitDocument } from '#server/verification/verification.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

/** Disputes a payment at the bank and, if `status` is set, has the bank decide; returns the dispute's id. */
async function disputePayment(status: 'lost' | null): Promise<string> {
  const slotId = await club.publish();
  await club.book(await club.join(), slotId);
  const { stripePaymentIntentId } = (await club.readBookings(slotId))[0]!;
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: stripePaymentIntentId });
  if (status) await changeInStripe(app, `disputes/${id}`, { status });
  await eventually(async () => {
    const { dispute } = (await app.call(admin, disputesApi.getDispute, { disputeId: id })).body;
    return dispute?.status === (status ?? 'needs_response');
  });
  return id;
}

const period = { from: '2026-01-01', to: '2026-12-31' };

/** Creates a refund for which the Stripe simulator returns an error, and marks the refund as `failed`. */
async function failRefund(): Promise<string> {
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, await club.publish())).body;
  await app.stripeSimulator.control({ errorRate: 1 });
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  const { refundId } = await app.db
    .selectFrom('refunds')
    .innerJoin('bookings', 'bookings.paymentId', 'refunds.paymentId')
    .select('refundId')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  await eventually(async () => {
    const { attempts } = await app.db
      .selectFrom('refunds')
      .select('attempts')
      .where('refundId', '=', refundId)
      .executeTakeFirstOrThrow();
    return attempts > 0;
  });
  const failed = { status: 'failed' as const, givenUpAt: new Date().toISOString() };
  await app.db.updateTable('refunds').set(failed).where('refundId', '=', refundId).execute();
  await app.stripeSimulator.control({ errorRate: 0 });
  return refundId;
}

/**
 * A booking to change, another date to move it to, and a booking of a started lesson that was partly refunded in
 * Stripe.
 */
async function sellForDesk() {
  const sell = async (slotId: string) => (await club.book(await club.join(), slotId)).body.bookingId;
  const [bookingId, otherSlotId] = [await sell(await club.publish()), await club.publish()];
  const startedSlotId = await club.publish();
  const startedId = await sell(startedSlotId);
  const { stripePaymentIntentId } = (await club.readBookings(startedSlotId))[0]!;
  await app.cards.refunds.create({ payment_intent: stripePaymentIntentId!, amount: 700 });
  await club.putAt(startedSlotId, -10);
  const { stripeRefundId } = await eventually(() =>
    app.db.selectFrom('externalRefunds').select('stripeRefundId').executeTakeFirst(),
  );
  return { bookingId, otherSlotId, startedId, stripeRefundId, refundRequestId: '' };
}

/** Requests a £5 refund of a booking as another admin; returns the request's id. */
async function askAsAnother(bookingId: string): Promise<string> {
  const asker = await app.signIn('admin');
  const { refundRequestId } = await app.db
    .insertInto('refundRequests')
    .values({
      ...{ bookingId, amountCents: 500, borneBy: 'platform', reason: 'Too far', needsSecondAdmin: true },
      ...{ status: 'waiting', askedBy: asker.userId },
    })
    .returning('refundRequestId')
    .executeTakeFirstOrThrow();
  return refundRequestId;
}

/**
 * Submits an insurance document and a licence, and consents to checks with the Update Service; returns the documents'
 * ids by kind.
 */
async function submitDocuments(coach: Someone): Promise<Record<'insurance' | 'licence', string>> {
  await app.call(coach, documentsApi.giveConsent, { textVersion: updateServiceTextVersion });
  await submitDocument(app, coach, { kind: 'insurance' });
  const { kinds } = (await submitDocument(app, coach, { kind: 'licence' })).body.trustFile;
  const idOf = (name: string) => kinds.find(({ kind }) => kind === name)!.documents[0]!.documentId;
  return { insurance: idOf('insurance'), licence: idOf('licence') };
}

test('audits every admin change and export with the admin and the time [ROLE-6b]', async () => {
  const coach = await addPayableCoach(app);
  const bookingIds = await writeSoldLessons(app, coach, { count: 2, endedAt: Date.now() - 3_600_000 });
  const person = await app.signIn('customer');
  const { userId } = person;
  // Payruns can require a second admin only if a second admin exists.
  await app.signIn('admin');
  const act = async <E extends Endpoint>(endpoint: E, input: Parameters<typeof app.call<E>>[2]) => {
    const { error, body } = await app.call(admin, endpoint, input);
    expect(error?.message, endpoint.operationId).toBeUndefined();
    return body;
  };
  const [paid, cancelled] = [{ payrunId: '' }, { payrunId: '' }];
  const owner = await app.signIn('coach', 'customer');
  const { pictureId } = await addGalleryPicture(app.url, owner);
  await app.call(owner, storageApi.reportPicture, { pictureId, reason: 'Not our court' });
  const reviews = openReviews(app, club);
  const reviewId = await reviews.publish(await app.signIn('customer'), { coach: owner });
  await app.call(owner, reviewsApi.report, {
    reviewId,
    about: 'review',
    reason: 'abusive',
    statement: 'Rude',
  });
  const { caseId } = (await reviews.listCases(admin))[0]!;
  const [tried, settled] = [await failRefund(), await failRefund()];
  const desk = await sellForDesk();
  const participantId = await openFamily(app).addChild(await club.join());
  const [open, lost] = [await disputePayment(null), await disputePayment('lost')];
  const documents = await submitDocuments(owner);
  const checked = { scheme: 'dbs', level: 'enhanced_barred', workforce: 'child' } as const;
  const today = wallTimeOf(Date.now()).date;
  const check = { documentId: '' };
  const { applicationId, submittedAt } = await submitCompleteApplication(app, await app.signIn('customer'));
  const application = { applicationId, submittedAt: submittedAt! };
  /** Every admin call that changes or exports something, made once. Add a line for each new call. */
  const events: Record<string, () => Promise<unknown>> = {
    change_role: () => act(adminApi.changeRole, { userId, role: 'coach', isHeld: true }),
    end_sessions_of: () => act(adminApi.endSessionsOf, { userId }),
    create_payrun: async () => {
      paid.payrunId = (await act(payoutsApi.createPayrun, { bookingIds: [bookingIds[0]!] })).payrun.payrunId;
    },
    get_payrun_csv_rows: () => act(payoutsApi.getPayrunCsvRows, paid),
    mark_payrun_paid: () => act(payoutsApi.markPayrunPaid, paid),
    enter_payrun_return: () =>
      act(payrunApi.enterReturn, { ...paid, coachId: coach.userId, reason: 'Account closed' }),
    cancel_payrun: () => act(payoutsApi.cancelPayrun, { ...cancelled, reason: 'Wrong reference' }),
    retry_refund: () => act(refundsApi.retry, { refundId: tried }),
    settle_refund: () =>
      act(refundsApi.settle, { refundId: settled, reason: 'Bank transfer', isRefundedInStripe: false }),
    refund_at_desk: () =>
      act(deskApi.refund, {
        ...{ bookingId: desk.bookingId, amountCents: 1000, borneBy: 'coach', reason: 'Late' },
        expectedLeftCents: 5000,
      }),
    decide_refund_request: () =>
      act(deskApi.decideRequest, { refundRequestId: desk.refundRequestId, decision: 'approve' }),
    open_care: () => act(adminCareApi.open, { participantId, reason: 'Asked to' }),
    move_booking: () => act(deskApi.move, { bookingId: desk.bookingId, slotId: desk.otherSlotId }),
    cancel_at_desk: () =>
      act(deskApi.cancel, { bookingId: desk.bookingId, reason: 'Ill', expectedRefundCents: 3500 }),
    mark_attendance_at_desk: () =>
      act(deskApi.markAttendance, { bookingId: desk.startedId, attended: false }),
    enter_external_refund: () =>
      act(deskApi.enterRefund, {
        ...{ stripeRefundId: desk.stripeRefundId, borneBy: 'platform' },
        lines: [{ bookingId: desk.startedId, cents: 700 }],
      }),
    update_refund_control: () => act(settingsApi.updateRefundControl, { secondAdminAboveCents: 5000 }),
    update_platform_fee: () =>
      act(settingsApi.updatePlatformFee, { mode: 'percentage', percent: 3, enabled: true }),
    update_cancellation_policy: () =>
      act(settingsApi.updateCancellationPolicy, {
        ...{ freeUntilHours: 48, lateRefundPercent: 50, refundsEnabled: true },
      }),
    update_brand: () => act(settingsApi.updateBrand, { name: 'Leeds Lessons' }),
    update_contact: () => act(settingsApi.updateContact, { email: 'desk@club.example' }),
    decide_coach_application: () =>
      act(applicationQueueApi.decide, { ...application, decision: 'changes', message: 'Say more.' }),
    update_coach_joining: () => act(settingsApi.updateCoachJoining, { joining: 'at_once' }),
    update_landing_stats: () => act(settingsApi.updateLandingStats, { mode: 'counted', stats: [] }),
    update_payrun_control: () => act(settingsApi.updatePayrunControl, { needsSecondAdmin: true }),
    open_document: () => act(checksApi.open, { documentId: documents.insurance }),
    accept_document: () =>
      act(checksApi.accept, { documentId: documents.insurance, method: 'original_in_person' }),
    decline_document: () => act(checksApi.decline, { documentId: documents.licence, reason: 'Too dark.' }),
    record_criminal_record_check: async () => {
      const { trustFile } = await act(checksApi.recordCheck, {
        ...{ coachId: owner.userId, ...checked, number: '001234567890', issuedOn: today },
        ...{ method: 'original_in_person', isSatisfactory: true },
      });
      const { kinds } = trustFile;
      check.documentId = kinds.find(({ kind }) => kind === 'criminal_record_check')!.documents[0]!.documentId;
    },
    record_status_check: () =>
      act(checksApi.recordStatusCheck, {
        ...{ ...check, level: checked.level, workforce: checked.workforce, isUnchanged: true },
      }),
    update_verification_policy: () => act(checksApi.updatePolicy, defaultVerificationPolicy),
    decide_picture: () => act(storageApi.decidePicture, { pictureId, decision: 'keep' }),
    decide_review_case: () => act(moderationApi.decideCase, { caseId, decision: 'show' }),
    send_dispute_evidence: () => act(disputesApi.sendEvidence, { disputeId: open }),
    record_dispute_loss: () => act(disputesApi.recordLoss, { disputeId: lost, borneBy: 'platform' }),
    export_audit: () => act(adminApi.exportAudit, {}),
    export_records: () => act(exportsApi.exportRecords, { records: 'bookings', ...period }),
    save_site_text: () => act(siteTextsApi.save, { slug: 'help', text: 'Ring us.' }),
  };
  const changing = [...readContracts().values()].filter(
    ({ gate, method, operationId }) =>
      gate === 'admin' && method !== 'GET' && operationId !== payoutsApi.previewPayrun.operationId,
  );
  expect(Object.keys(events).sort()).toEqual(changing.map(({ operationId }) => operationId).sort());

  const { landingStats, verificationPolicy } = (await app.call(admin, settingsApi.getSettings, {})).body;
  // Saves these settings first, so that the later calls change an existing value.
  await act(settingsApi.updateContact, { email: 'first@club.example' });
  await act(settingsApi.updateBrand, { name: 'First Lessons' });
  await act(siteTextsApi.save, { slug: 'help', text: 'Write to us.' });
  const recorded: Record<string, { what: string; before: unknown; after: unknown }> = {};
  for (const [name, event] of Object.entries(events)) {
    if (name === 'decide_refund_request') desk.refundRequestId = await askAsAnother(desk.bookingId);
    if (name === 'cancel_payrun') {
      const { payrun } = await act(payoutsApi.createPayrun, { bookingIds: [bookingIds[1]!] });
      cancelled.payrunId = payrun.payrunId;
    }
    const readLines = () =>
      app.db
        .selectFrom('auditLog')
        .selectAll()
        .where('actorUserId', '=', admin.userId)
        .orderBy('auditId')
        .execute();
    const before = await readLines();
    await event();
    const [line, ...more] = (await readLines()).slice(before.length);
    expect(more, name).toEqual([]);
    expect(line, name).toMatchObject({ subjectId: expect.any(String) });
    const { action, subjectType, before: was, after } = line!;
    recorded[name] = { what: `${action} of ${subjectType}`, before: was, after };
    expect(Math.abs(Date.parse(line!.at) - Date.now()), name).toBeLessThan(60_000);
  }
  const event = (what: string, before: object | null, after: object | null) => ({ what, before, after });
  const setting = (before: object, after: object) => event('setting.changed of setting', before, after);
  const fee = { mode: 'percentage', enabled: true };
  const pending = { status: 'pending' };
  const total = { totalAmountCents: 4900 };
  // New records and exports have no previous state.
  expect(recorded).toEqual({
    change_role: event(
      'role.granted of profile',
      { roles: ['customer'] },
      { roles: ['customer', 'coach'], missing: ['No application'] },
    ),
    decide_coach_application: event(
      'coach_application.changes_asked of coach_application',
      { status: 'submitted' },
      { status: 'changes' },
    ),
    update_coach_joining: setting({ joining: 'applications' }, { joining: 'at_once' }),
    end_sessions_of: event('sessions.ended of profile', { browsers: 1 }, { browsers: 0 }),
    create_payrun: event('payrun.created of payrun', null, { ...total, bookings: 1, coaches: 1 }),
    get_payrun_csv_rows: event('payrun.exported of payrun', null, { layout: expect.any(String) }),
    mark_payrun_paid: event('payrun.paid of payrun', pending, {
      ...{ status: 'paid', ...total, wasExported: true },
    }),
    enter_payrun_return: event('payrun.payment-returned of payrun', null, {
      ...{ coachId: coach.userId, amountCents: 4900, reason: 'Account closed' },
    }),
    cancel_payrun: event('payrun.cancelled of payrun', pending, {
      ...{ status: 'cancelled', ...total, reason: 'Wrong reference', wasExported: false },
    }),
    retry_refund: event('refund.retried of refund', { status: 'failed' }, { ...pending, amountCents: 5000 }),
    settle_refund: event(
      'refund.settled of refund',
      { status: 'failed' },
      { status: 'settled', amountCents: 5000, reason: 'Bank transfer', isRefundedInStripe: false },
    ),
    refund_at_desk: event('refund.made of refund_request', null, {
      ...{ bookingId: desk.bookingId, amountCents: 1000, borneBy: 'coach', reason: 'Late' },
    }),
    decide_refund_request: event(
      'refund.approved of refund_request',
      { status: 'waiting' },
      {
        ...{ status: 'made', bookingId: desk.bookingId, amountCents: 500 },
        ...{ borneBy: 'platform', reason: 'Too far' },
      },
    ),
    open_care: event('care.opened of participant', null, null),
    move_booking: event('booking.moved of booking', expect.objectContaining({ status: 'booked' }), {
      ...{ status: 'booked', slotId: desk.otherSlotId, startTime: expect.any(String) },
    }),
    cancel_at_desk: event(
      'booking.cancelled of booking',
      { status: 'booked' },
      { status: 'cancelled', refundCents: 3500, reason: 'Ill' },
    ),
    mark_attendance_at_desk: event('attendance.marked of booking', { attended: null }, { attended: false }),
    enter_external_refund: event('refund.entered of refund', null, {
      ...{ stripeRefundId: desk.stripeRefundId, amountCents: 700, borneBy: 'platform', bookings: 1 },
    }),
    update_refund_control: setting({ secondAdminAboveCents: null }, { secondAdminAboveCents: 5000 }),
    update_platform_fee: setting({ ...fee, percent: 2 }, { ...fee, percent: 3 }),
    update_cancellation_policy: setting(
      { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true },
      { freeUntilHours: 48, lateRefundPercent: 50, refundsEnabled: true },
    ),
    update_brand: setting({ name: 'First Lessons' }, { name: 'Leeds Lessons' }),
    update_contact: setting({ email: 'first@club.example' }, { email: 'desk@club.example' }),
    update_landing_stats: setting(landingStats, { mode: 'counted', stats: [] }),
    update_payrun_control: setting({ needsSecondAdmin: false }, { needsSecondAdmin: true }),
    open_document: event('coach_document.opened of coach_document', null, {
      ...{ kind: 'insurance', coachId: owner.userId },
    }),
    accept_document: event(
      'coach_document.accepted of coach_document',
      { status: 'submitted' },
      { status: 'accepted', method: 'original_in_person', kind: 'insurance', coachId: owner.userId },
    ),
    decline_document: event(
      'coach_document.declined of coach_document',
      { status: 'submitted' },
      { status: 'declined', kind: 'licence', coachId: owner.userId },
    ),
    record_criminal_record_check: event('coach_document.recorded of coach_document', null, {
      ...{ status: 'accepted', kind: 'criminal_record_check', coachId: owner.userId },
      ...{ scheme: 'dbs', method: 'original_in_person' },
    }),
    record_status_check: event(
      'coach_document.status_checked of coach_document',
      { status: 'accepted' },
      { status: 'accepted', kind: 'criminal_record_check', coachId: owner.userId },
    ),
    update_verification_policy: setting(verificationPolicy, defaultVerificationPolicy),
    decide_review_case: event(
      'review.kept of review',
      { status: 'published' },
      { status: 'published', caseId, reason: null },
    ),
    decide_picture: event(
      'picture.kept of picture',
      { state: 'live' },
      { state: 'live', ownerUserId: owner.userId, bucket: 'gallery' },
    ),
    send_dispute_evidence: event('dispute.evidence-sent of payment', null, { disputeId: open }),
    record_dispute_loss: event('dispute.loss_recorded of payment', null, {
      ...{ disputeId: lost, borneBy: 'platform', amountCents: 5000 },
    }),
    export_records: event('records.exported of export', null, period),
    export_audit: event('audit_log.exported of audit_log', null, { entries: expect.any(Number) }),
    save_site_text: setting({ text: 'Write to us.' }, { text: 'Ring us.' }),
  });
});
