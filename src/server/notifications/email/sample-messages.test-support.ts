import type { Message } from '#domain/message.ts';
import * as ages from '../family-templates/ages.ts';
import { composeConsentReducedMessage } from '../family-templates/consents.ts';
import * as guardians from '../family-templates/guardians.ts';
import * as progress from '../family-templates/progress.ts';
import * as applications from '../team-templates/applications.ts';
import * as coachApplications from '../team-templates/coach-applications.ts';
import { composeInvitationMessage } from '../team-templates/invitation.ts';
import { composeTeamMessage } from '../team-templates/team.ts';
import * as account from '../templates/account.ts';
import * as admins from '../templates/admins.ts';
import { composeAnnouncementMessage } from '../templates/announcements.ts';
import { composeBankDetailsMessage } from '../templates/bank-details.ts';
import * as bookings from '../templates/bookings.ts';
import { composeCardExpiryMessage } from '../templates/card-expiry.ts';
import * as coachBookings from '../templates/coach-bookings.ts';
import * as desk from '../templates/desk.ts';
import { composeDisputeLossMessage, composeDisputeMessage } from '../templates/disputes.ts';
import * as emailChange from '../templates/email-change.ts';
import * as lessonChanges from '../templates/lesson-changes.ts';
import { composeNotReachedMessage } from '../templates/not-reached.ts';
import * as passwords from '../templates/passwords.ts';
import * as payruns from '../templates/payruns.ts';
import * as pictures from '../templates/pictures.ts';
import { composeFeeMessage } from '../templates/platform-fee.ts';
import * as refunds from '../templates/refunds.ts';
import * as reminders from '../templates/reminders.ts';
import * as returnedPayouts from '../templates/returned-payouts.ts';
import * as reviewCases from '../templates/review-cases.ts';
import * as reviews from '../templates/reviews.ts';
import { composeRoleMessage } from '../templates/roles.ts';
import * as signIn from '../templates/sign-in.ts';
import * as verification from '../templates/verification.ts';
import type { NeededDocuments } from '../verification-templates/needed-documents.ts';
import { sampleVerificationMessages } from './sample-verification-messages.test-support.ts';

const brand = 'Leeds <Lessons>';
const fullName = 'Zoë "Zo" O’Neill';
const coachName = 'Alex Morgan';
const card = { brand: 'visa', lastFour: '4242' };
const location = { name: 'Roundhay Park', address: '14 Park Road', city: 'Leeds', postcode: 'LS8 1ER' };
const elsewhere = { ...location, name: 'The Hall & Court' };
const bookingId = '0b5b6a50-7c11-4cf7-9a52-6f0b7a3d9c41';
const slotId = 'f3f1d2f4-5c8e-4f0e-8f7a-1c9b0d2e4a66';
const payrunId = 'c2a9b1de-3f55-4b6a-9d44-2a7f6e5c8b10';
const times = (hours: number) => ({
  startTime: new Date(Date.now() + hours * 3_600_000).toISOString(),
  endTime: new Date(Date.now() + (hours + 1) * 3_600_000).toISOString(),
});

export const sampleBooking = {
  bookingId,
  slotId,
  title: 'Tennis & serve <b>basics</b>',
  description: 'Bring water.\nAnd a hat.',
  sport: 'tennis' as const,
  changedTo: { title: 'Match play', description: 'Bring <water>.', sport: 'badminton' as const },
  coachName,
  ...times(30),
  movedFrom: times(20),
  location,
  amountCents: 5000,
  card,
  refund: { amountCents: 5000 },
  cancelledBy: 'coach' as const,
  cancellationReason: 'Rain & <wind>,\nsorry',
  slotStatus: 'cancelled',
};

export const sampleData = {
  booking: sampleBooking,
  coachPicture: `/storage/v1/object/public/avatars/${slotId}/face?v=1a2b3c4d&size=128`,
  terms: 'Cancel by Fri 20 Nov, 09:00 for a full refund of £50.00. After that, nothing is refunded.',
  fullName,
};
const participantName = 'Mia <Morgan>';
const lesson = { ...sampleBooking, participantName };
const family = { participantName, fullName };
const plain = {
  ...sampleData,
  coachPicture: null,
  fullName: '',
  booking: {
    ...sampleBooking,
    ...{ changedTo: null, movedFrom: null, card: null, location: null, amountCents: 0, refund: null },
    ...{ cancelledBy: 'customer' as const, cancellationReason: null, slotStatus: 'scheduled' },
  },
};

const emailed = { path: '/verify?link=signup&token_hash=abc', brand };
const admin = { by: 'Sam <Admin>', brand };
const person = { fullName, brand };
const neededs: NeededDocuments[] = [
  { always: [], forMinors: [] },
  { always: ['insurance'], forMinors: ['criminal_record_check', 'safeguarding'] },
];
const payrun = { payrunId, totalAmountCents: 123_45 };
const fee = { mode: 'percentage' as const, percent: 2, enabled: true };

/** Messages from every template, keyed by its function's name: several if the template has several forms. */
export const sampleMessages: Record<string, Message[]> = {
  composeTwoStepMessage: [true, false].map((isOn) => account.composeTwoStepMessage({ isOn, brand })),
  composeRecoveryCodesMessage: [true, false].map((isFirst) =>
    account.composeRecoveryCodesMessage({ isFirst, brand }),
  ),
  composeRecoveryCodeUsedMessage: [0, 1, 9].map((left) =>
    account.composeRecoveryCodeUsedMessage({ left, brand }),
  ),
  composeSignedOutMessage: [account.composeSignedOutMessage({ brand })],
  composeAccountDeletedMessage: [account.composeAccountDeletedMessage({ brand })],
  composeOwnAdminRoleMessage: [true, false].map((isGranted) =>
    admins.composeOwnAdminRoleMessage({ ...admin, isGranted }),
  ),
  composeAdminRoleMessage: [
    admins.composeAdminRoleMessage({ ...admin, person: fullName, isGranted: true }),
    admins.composeAdminRoleMessage({ ...admin, person: fullName, isGranted: false }),
    admins.composeAdminRoleMessage({ ...admin, person: fullName, isGranted: false, by: null }),
  ],
  composeAdminLeftMessage: [admins.composeAdminLeftMessage({ ...admin, person: fullName })],
  composePayrunControlMessage: [true, false].map((needsSecondAdmin) =>
    admins.composePayrunControlMessage({ ...admin, needsSecondAdmin }),
  ),
  composeReviewInvitationMessage: [
    reviews.composeReviewInvitationMessage({
      ...{ bookingId, coachName, title: sampleBooking.title, brand },
      openDays: 90,
      delayHours: 24,
    }),
  ],
  composeNewReviewMessage: [1, 5].map((rating) => reviews.composeNewReviewMessage({ rating, brand })),
  composeReviewPublishedMessage: [true, false].map((isMasked) =>
    reviews.composeReviewPublishedMessage({ coachName, isMasked }),
  ),
  composeReviewCaseMessage: (['check', 'report', 'appeal', 'attendance'] as const).map((kind) =>
    reviewCases.composeReviewCaseMessage({
      kind,
      caseId: slotId,
      dueAt: '2027-03-01T23:59:00Z',
      workingDays: 5,
      brand,
    }),
  ),
  composeReviewCaseDueMessage: [reviewCases.composeReviewCaseDueMessage({ caseId: slotId, brand })],
  composeReviewDecidedMessage: (['author', 'reporter'] as const).flatMap((role) =>
    [null, 'Abusive'].map((reason) =>
      reviewCases.composeReviewDecidedMessage({
        ...{ reviewId: slotId, about: 'review', reason, role, appealDays: role === 'author' ? 30 : null },
      }),
    ),
  ),
  composeClaimDecidedMessage: [true, false].map((isAccepted) =>
    reviewCases.composeClaimDecidedMessage({ bookingId, title: sampleBooking.title, isAccepted }),
  ),
  composeAnnouncementMessage: [
    composeAnnouncementMessage({
      ...{ ...sampleBooking, fullName, coachPicture: sampleData.coachPicture },
      text: 'Bring a <warm> layer.\n\nhttps://elsewhere.example/pay',
    }),
  ],
  composeNewApplicationMessage: [
    coachApplications.composeNewApplicationMessage({
      ...person,
      ...{ applicant: 'Sam Smith', applicationId: slotId },
    }),
  ],
  composeApprovedMessage: neededs.map((needed) =>
    coachApplications.composeApprovedMessage({ ...person, needed }),
  ),
  composeChangesMessage: [
    coachApplications.composeChangesMessage({ ...person, message: 'Please say where you have coached.' }),
  ],
  composeDeclinedMessage: [
    coachApplications.composeDeclinedMessage({ ...person, message: 'We only list tennis coaches.' }),
  ],
  composeCoachRoleMessage: neededs.map((needed) =>
    applications.composeCoachRoleMessage({ ...person, businessName: 'Hill & Dale', needed }),
  ),
  composeInvitationAnswerMessage: (['accepted', 'declined'] as const).map((answer) =>
    applications.composeInvitationAnswerMessage({
      ...{ fullName, answer, invited: 'jo@club.example', businessName: 'Hill & Dale' },
    }),
  ),
  composeBankDetailsMessage: [true, false].map((isChange) =>
    composeBankDetailsMessage({ fullName, isChange, maskedAccountNumber: '••••4958' }),
  ),
  composeBookedMessage: [sampleData, plain].map(bookings.composeBookedMessage),
  composeCancelledMessage: [sampleData, plain].map((data) => bookings.composeCancelledMessage(data)),
  composeRefundedMessage: [sampleData, plain].map((data) => bookings.composeRefundedMessage(data, 2500)),
  composeReturnedMessage: [sampleData, plain].map(bookings.composeReturnedMessage),
  composeCardExpiryMessage: [composeCardExpiryMessage({ fullName, card, lastDay: 'Tue 30 Nov' })],
  composeNewBookingMessage: [
    coachBookings.composeNewBookingMessage({ booking: sampleBooking, customerName: fullName }),
  ],
  composeCustomerCancelledMessage: [
    coachBookings.composeCustomerCancelledMessage({ booking: sampleBooking, customerName: fullName }),
  ],
  composeDisputeMessage: ['needs_response', 'won', 'lost'].map((status) =>
    composeDisputeMessage({
      ...{ fullName, status, reason: 'product_not_received', amountCents: 5000, reference: 'AB12CD' },
      ...{ disputeId: 'du_1PxYz', dueBy: new Date(Date.now() + 7 * 86_400_000).toISOString() },
    }),
  ),
  composeDisputeLossMessage: [
    composeDisputeLossMessage({
      ...{ fullName, amountCents: 8000 },
      lessons: [
        ['Tennis & serve <b>basics</b>', '£50.00'],
        ['Match play', '£30.00'],
      ],
    }),
  ],
  composeConfirmOldAddressMessage: [
    emailChange.composeConfirmOldAddressMessage({ ...emailed, newEmail: 'new@club.example' }),
  ],
  composeConfirmNewAddressMessage: [emailChange.composeConfirmNewAddressMessage(emailed)],
  composeAddressTakenMessage: [emailChange.composeAddressTakenMessage({ brand })],
  composeEmailChangedMessage: [
    emailChange.composeEmailChangedMessage({ newEmail: 'new@club.example', brand }),
  ],
  composeInvitationMessage: [
    composeInvitationMessage({
      ...emailed,
      ...{ path: '/team-invitation?token=abc', businessName: 'Hill & Dale' },
      ...{ invitedBy: coachName, expires: 'Sat 28 Nov' },
    }),
  ],
  composeMovedMessage: [sampleData, plain].map((data) => lessonChanges.composeMovedMessage(data, times(20))),
  composeRelocatedMessage: [
    lessonChanges.composeRelocatedMessage(sampleData, elsewhere),
    lessonChanges.composeRelocatedMessage(plain, null),
  ],
  composeChangedMessage: [lessonChanges.composeChangedMessage(sampleData, sampleBooking)],
  composeNotReachedMessage: [
    composeNotReachedMessage({
      ...{ booking: sampleBooking, customerName: fullName, about: 'Cancelled: Tennis' },
      action: coachBookings.openLesson(sampleBooking),
    }),
  ],
  composeRecoveryMessage: [passwords.composeRecoveryMessage(emailed)],
  composePasswordChangedMessage: [passwords.composePasswordChangedMessage({ brand })],
  composePayrunMessage: [
    payruns.composePayrunMessage({
      ...person,
      ...{ amountCents: 123_45, maskedAccountNumber: '••••4958', paymentReference: 'LESSONS 12' },
    }),
  ],
  composePayrunWaitingMessage: [payruns.composePayrunWaitingMessage({ ...admin, ...payrun })],
  composePayrunCancelledMessage: [null, new Date().toISOString()].map((exportedAt) =>
    payruns.composePayrunCancelledMessage({
      ...{ fullName, by: coachName, exportedAt, ...payrun },
      ...{ paymentReference: 'LESSONS 12', reason: 'Wrong <reference>' },
    }),
  ),
  composeReturnedPayoutMessage: [
    returnedPayouts.composeReturnedPayoutMessage({
      ...person,
      ...{ amountCents: 123_45, maskedAccountNumber: '••••4958', paymentReference: 'LESSONS 12' },
      reason: 'Account <closed>',
    }),
  ],
  composePayrunReturnedMessage: [
    returnedPayouts.composePayrunReturnedMessage({
      ...{ fullName, by: coachName, payrunId, coachName, amountCents: 123_45 },
      ...{ paymentReference: 'LESSONS 12', reason: 'Account <closed>' },
    }),
  ],
  composePictureReportedMessage: [true, false].map((isHidden) =>
    pictures.composePictureReportedMessage({ isHidden, brand }),
  ),
  composePictureRemovedMessage: [pictures.composePictureRemovedMessage(person)],
  composeFeeMessage: [composeFeeMessage({ before: fee, fee: { ...fee, percent: 7.5 }, brand })],
  composeDeskRefundMessage: [sampleData, plain].map((data) =>
    desk.composeDeskRefundMessage(data, { refundCents: 2500, reason: 'Half a <lesson>' }),
  ),
  composeBorneRefundMessage: [
    desk.composeBorneRefundMessage(sampleData, { refundCents: 2500, coachCents: 2450, reason: null }),
  ],
  composeRefundWaitingMessage: [
    desk.composeRefundWaitingMessage(sampleData, {
      by: coachName,
      refundCents: 5000,
      reason: 'Ill & <late>',
    }),
  ],
  composeMovedByAdminMessage: [true, false].map((isRebooked) =>
    desk.composeMovedByAdminMessage(sampleData, times(20), isRebooked),
  ),
  composeDeskChangeMessage: (
    [
      { kind: 'cancelled' },
      { kind: 'moved', from: times(20), isRebooked: false },
      { kind: 'moved', from: times(20), isRebooked: true },
      { kind: 'marked', attended: false },
    ] as const
  ).map((change) =>
    desk.composeDeskChangeMessage(
      { ...sampleData, booking: sampleBooking, participantName },
      { ...change, customerName: fullName },
    ),
  ),
  composeRefundControlMessage: [null, 10_000].map((limitCents) =>
    desk.composeRefundControlMessage({ ...admin, limitCents }),
  ),
  composeRefundFailedMessage: [
    { ...sampleData, lessons: [lesson] },
    { ...plain, lessons: [lesson, lesson] },
  ].map((data) => refunds.composeRefundFailedMessage(data, 5000)),
  composeRefundSettledMessage: [
    refunds.composeRefundSettledMessage({ ...sampleData, lessons: [lesson] }, 5000, {
      ...{ elsewhere: 'Cash', contactEmail: null },
    }),
    refunds.composeRefundSettledMessage({ ...plain, lessons: [lesson, lesson] }, 10_000, {
      ...{ elsewhere: null, contactEmail: 'help@club.example' },
    }),
  ],
  composeRefundAlertMessage: [
    refunds.composeRefundAlertMessage({
      ...{ fullName, refundCents: 5000, customerName: 'Jo & Co', bookingIds: [bookingId] },
      message: 'The issuer refuses <refunds>.',
    }),
  ],
  composeReminderMessage: [sampleData, plain].map(reminders.composeReminderMessage),
  composeTomorrowMessage: [
    reminders.composeTomorrowMessage({
      fullName,
      lessons: [
        {
          ...{ title: 'Morning squad', ...times(20), location: '14 Park Road, Leeds', maxCapacity: 8 },
          attendees: [
            { name: 'Ana Petrova', isNew: true, isUnder18: false },
            { name: 'Ben & Bo', isNew: false, isUnder18: true },
          ],
        },
        { title: 'Match play', ...times(23), location: null, maxCapacity: 4, attendees: [] },
      ],
    }),
  ],
  composeRoleMessage: (['customer', 'coach'] as const).flatMap((role) =>
    [true, false].map((isGranted) => {
      const needed = role === 'coach' && isGranted ? neededs[1]! : null;
      return composeRoleMessage({ ...person, role, by: coachName, isGranted, needed });
    }),
  ),
  composeAgeRequestMessage: [
    ages.composeAgeRequestMessage({ ...family, title: 'Juniors', askedByName: 'Jo & Co' }),
  ],
  composeAgeAnswerMessage: [true, false].map((isAllowed) =>
    ages.composeAgeAnswerMessage({ ...family, title: 'Juniors', isAllowed }),
  ),
  composeConsentReducedMessage: [false, true].map((areNotesDeleted) =>
    composeConsentReducedMessage({
      ...{ ...sampleBooking, participantName, fullName, areNotesDeleted },
      ...{ consent: 'Photos & videos', allowed: 'No photos or videos' },
    }),
  ),
  composeGuardianInvitationMessage: [
    guardians.composeGuardianInvitationMessage({
      ...{ invitedBy: 'Jo & Co', path: '/guardian-invitation?token=abc', expires: 'Sat 28 Nov', brand },
    }),
  ],
  composeGuardianChangeMessage: (['joined', 'left', 'declined'] as const).map((what) =>
    guardians.composeGuardianChangeMessage({ ...family, what, personName: 'Jo & Co' }),
  ),
  composeNoteMessage: [
    progress.composeNoteMessage({
      ...{ ...family, participantId: bookingId, coachName, title: sampleBooking.title, ...times(-3) },
    }),
  ],
  composeConcernMessage: [progress.composeConcernMessage({ fullName })],
  composeCareOpenedMessage: [
    guardians.composeCareOpenedMessage({ ...family, reason: 'They asked & we <looked>.' }),
  ],
  composeGuardianBookingMessage: (['guardian_booked', 'lesson_cancelled', 'reminder_day'] as const).map(
    (kind) =>
      guardians.composeGuardianBookingMessage(
        { ...sampleData, participantName },
        { kind, payerName: 'Jo & Co', fullName },
      ),
  ),
  composeNewDeviceMessage: [
    signIn.composeNewDeviceMessage({
      ...{ device: 'Firefox on Linux', ipAddress: '198.51.100.7', at: new Date().toISOString(), brand },
    }),
  ],
  composeWrongCodeMessage: [signIn.composeWrongCodeMessage({ brand })],
  composeTwoStepResetMessage: [signIn.composeTwoStepResetMessage({ brand })],
  composeTeamMessage: (['removed', 'made owner', 'made employee', 'took over', 'ended'] as const).map(
    (change) => composeTeamMessage(change, { fullName, businessName: 'Hill & Dale' }),
  ),
  ...sampleVerificationMessages({ fullName, booking: sampleBooking }),
  composeVerificationMessage: [verification.composeVerificationMessage(emailed)],
  composeAlreadyRegisteredMessage: [verification.composeAlreadyRegisteredMessage({ brand })],
};
