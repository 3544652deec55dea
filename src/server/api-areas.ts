import { ownAccountApi } from '#domain/account/contract.ts';
import { firstStepsApi } from '#domain/account/first-steps-contract.ts';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { adminCareApi } from '#domain/admin/care-contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { exportsApi } from '#domain/admin/exports-contract.ts';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { authApi } from '#domain/auth/contract.ts';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { calendarApi } from '#domain/bookings/calendar-contract.ts';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { refundsApi } from '#domain/bookings/refunds-contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { agesApi } from '#domain/catalogue/ages-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { pushApi } from '#domain/notifications/push-contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { statementApi } from '#domain/payouts/statement-contract.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { welfareApi } from '#domain/progress/welfare-contract.ts';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { describeAuthCalls } from './auth/gotrue/auth-description.ts';
import type { Route } from './platform/http/http.ts';
import type { ApiArea } from './platform/openapi/describe-api.ts';
import { describeStorageCalls } from './storage/storage-description.ts';

const callsOf = (...apis: Record<string, Endpoint>[]): Endpoint[] =>
  apis.flatMap((api) => Object.values(api));

/**
 * Every API contract by area, in the order in which the API description shows them. The server does not start if these
 * contracts differ from those that it serves: {@link assertAllDescribed}.
 */
export const apiAreas: readonly ApiArea[] = [
  {
    name: 'Discover',
    description: 'Searching for lessons that can be booked.',
    calls: callsOf(discoverApi),
  },
  {
    name: 'Bookings',
    description:
      'Booking, paying for and cancelling lessons; changes and announcements by coaches; failed refunds; disputes; lessons in calendar programs. Until its payment succeeds or fails, a booking is `pending` and holds a seat.',
    calls: callsOf(
      bookingsApi,
      checkoutApi,
      lessonsApi,
      registerApi,
      announcementsApi,
      refundsApi,
      disputesApi,
      calendarApi,
    ),
  },
  {
    name: 'Payments',
    description: 'The saved card that bookings are charged to. Card numbers go only to Stripe.',
    calls: callsOf(paymentsApi),
  },
  {
    name: 'Catalogue',
    description:
      'What coaches offer: a template describes a lesson, slots are its dates and times, and locations are where lessons are held.',
    calls: callsOf(catalogueApi, slotsApi, agesApi),
  },
  {
    name: 'Verification',
    description:
      "Applications to become a coach; criminal record checks as an admin saw them, coaches' other documents, the badges that the public sees, and what the club requires of coaches.",
    calls: callsOf(applicationsApi, applicationQueueApi, documentsApi, checksApi),
  },
  {
    name: 'Businesses',
    description: 'Coaches, their profiles, businesses and teams, and invitations to a team.',
    calls: callsOf(businessesApi, invitationsApi),
  },
  {
    name: 'Progress',
    description:
      "Notes after lessons, goals and skill levels, families' answers, and coaches' welfare concerns.",
    calls: callsOf(progressApi, notesApi, skillsApi, welfareApi),
  },
  {
    name: 'Reviews',
    description:
      "Reviews of coaches by the people who paid for their lessons, replies, reports, and admins' decisions.",
    calls: callsOf(reviewsApi, coachReviewsApi, moderationApi),
  },
  {
    name: 'Payouts',
    description:
      'What coaches earn and how they are paid: bank details, the ledger, and the payruns that admins create.',
    calls: callsOf(payoutsApi, payrunApi, earningsApi, statementApi),
  },
  {
    name: 'Desk',
    description:
      'The bookings desk: admins find a booking, see its history, refund some or all of it, cancel it, move it or mark a no-show.',
    calls: callsOf(deskApi),
  },
  {
    name: 'Auth',
    description:
      "Sign-up, sign-in and two-step sign-in, compatible with GoTrue so that Supabase's auth-js works as a client; also the caller's sessions and recovery codes.",
    calls: callsOf(authApi),
    others: describeAuthCalls,
  },
  {
    name: 'Accounts',
    description:
      "The caller's profile and roles, and the people the caller books for: their care details, consents and guardians.",
    calls: callsOf(accountsApi, participantsApi, careApi, guardiansApi),
  },
  {
    name: 'Notifications',
    description:
      "The caller's notifications, whether they have been read, and how the caller wants to be notified.",
    calls: callsOf(notificationsApi, pushApi),
  },
  {
    name: 'Storage',
    description:
      'Galleries and reports of pictures. Files are uploaded and read at `/storage/v1`, which is compatible with Supabase Storage: storage-js works as a client.',
    calls: callsOf(storageApi),
    others: describeStorageCalls,
  },
  {
    name: 'Account',
    description:
      "Downloading the personal data of the caller or a dependant; deleting the account or the dependant; a new coach's first steps.",
    calls: callsOf(ownAccountApi, participantDataApi, firstStepsApi),
  },
  {
    name: 'Settings',
    description: 'The settings of the whole platform, which admins change. Some of them are public.',
    calls: callsOf(settingsApi, siteTextsApi),
  },
  {
    name: 'Admin',
    description: "People and their roles, the audit log, the platform's figures, and exports.",
    calls: callsOf(adminApi, adminHomeApi, adminCareApi, exportsApi),
  },
];

/** Compares the calls served with the contracts above. Throws an error that names the first difference. */
export function assertAllDescribed(routes: readonly Route[]): void {
  const described = new Set(apiAreas.flatMap(({ calls }) => calls));
  for (const { endpoint } of routes) {
    if (described.delete(endpoint)) continue;
    throw new Error(
      `${endpoint.operationId} is served, but its contract is not listed in src/server/api-areas.ts`,
    );
  }
  for (const { operationId } of described) {
    throw new Error(`${operationId} is in a contract, but no routes.ts of src/server serves it`);
  }
}
