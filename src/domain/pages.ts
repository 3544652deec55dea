/**
 * A coach's public page, which the server renders (src/server/site/public-pages.ts). Its address is the coach's name;
 * the id redirects there.
 */
export const coachPath = ({ coachId, coachAddress }: { coachId: string; coachAddress: string | null }) =>
  `/coaches/${coachAddress ?? coachId}`;

/** The page with all reviews of a coach. */
export const reviewsPath = (coach: { coachId: string; coachAddress: string | null }) =>
  `${coachPath(coach)}/reviews`;

/** The page on which visitors report a picture. */
export const reportPath = (pictureId: string) => `/pictures/${pictureId}/report`;

/** The page on which visitors report a review or its reply. */
export const reportReviewPath = (reviewId: string, about: 'review' | 'reply') =>
  `/reviews/${reviewId}/report${about === 'reply' ? '?about=reply' : ''}`;

/** The public page "How reviews work". */
export const reviewsPolicyPath = '/reviews-policy';

/** The pages whose text the operator edits: the last segment of their URL, and their title. */
export const siteTextTitles = {
  terms: 'Terms',
  privacy: 'Privacy',
  help: 'Help',
  contact: 'Contact',
} as const;
export type SiteTextSlug = keyof typeof siteTextTitles;
export const siteTextSlugs = Object.keys(siteTextTitles) as [SiteTextSlug, ...SiteTextSlug[]];

/**
 * The URLs of the app's pages with their titles, which the server and the app show before the brand; `$name` stands for
 * one segment. The title is empty for a redirect and for the landing page. The server answers 404 for a URL that is
 * neither in this list nor served by the server itself. A test compares this list with the browser's routes.
 */
export const pageTitles = {
  '/': '',
  '/login': 'Sign in',
  '/signup': 'Create an account',
  '/forgot-password': 'Forgot your password?',
  '/reset-password': 'Choose a new password',
  '/verify': 'Open an emailed link',
  '/team-invitation': 'Team invitation',
  '/become-a-coach': 'Become a coach',
  '/guardian-invitation': 'Guardian invitation',
  '/pictures/$pictureId/report': 'Report a picture',
  '/reviews/$reviewId/report': 'Report a review',
  '/reviews/$reviewId/decision': 'Decision about a review',
  '/account': 'Account',
  '/account/family': 'My family',
  '/account/family/$participantId': 'My family',
  '/account/family/$participantId/progress': 'Progress',
  '/welfare-concerns': 'Welfare concerns',
  '/notifications': 'Notifications',
  '/email-change': 'Confirm your email address',
  '/dashboard': 'Dashboard',
  '/admin/panel': 'Admin Panel',
  '/admin/bookings/$bookingId': 'Booking',
  '/admin/payruns/$payrunId': 'Payrun',
  '/admin/disputes/$disputeId': 'Dispute',
  '/admin/coaches/$coachId': 'Checks',
  '/admin/applications/$applicationId': 'Application',
  '/admin/reviews/$caseId': 'Case about a review',
  '/my-bookings': '',
  '/coach': 'Calendar',
  '/coach/dashboard': '',
  '/coach/calendar': 'Calendar',
  '/coach/templates': 'Lesson templates',
  '/coach/locations': 'Locations',
  '/coach/earnings': 'Earnings',
  '/coach/earnings/$payrunId': 'Payment',
  '/coach/bank-details': 'Bank details',
  '/coach/verification': 'Checks and documents',
  '/coach/business': 'Business',
  '/coach/team': 'Team',
  '/coach/reviews': 'Reviews',
  '/coach/lesson/$slotId': 'Lesson',
  '/coach/registers': 'Registers',
  '/coach/registers/$slotId': 'Register',
  '/coach/registers/$slotId/notes': 'Notes',
  '/coach/progress': 'Skills and payouts',
  '/coach/participants/$participantId': 'Progress',
  '/customer': '',
  '/customer/dashboard': 'Dashboard',
  '/customer/discover': 'Find a lesson',
  '/customer/coaches': 'My Coaches',
  '/customer/my-bookings': 'My bookings',
  '/customer/bookings/$bookingId': 'Receipt',
  '/customer/basket': 'Your basket',
  '/customer/reviews': 'My reviews',
  '/customer/reviews/$bookingId': 'Review a coach',
  '/customer/payment-methods': 'Payment methods',
} as const;

/** The title of the page with this pattern, demo pages included; an index route's pattern ends in a slash. */
export const titleOf = (pattern: string): string | undefined =>
  (({ ...pageTitles, ...demoPageTitles }) as Record<string, string>)[pattern.replace(/(.)\/$/, '$1')];

/** The title shown for a URL without a page. */
export const missingPageTitle = 'Page not found';

/** Pages that exist only in the demo. */
export const demoPageTitles = { '/dev/ui': 'Components', '/demo/outbox': 'Demo mailbox' } as const;

/** The pattern and title of the page at this URL path; null if there is none. */
export function findPage(
  path: string,
  { isDemo }: { isDemo: boolean },
): { pattern: string; title: string } | null {
  const given = (path.length > 1 ? path.replace(/\/+$/, '') : path).split('/');
  const titles = Object.entries(isDemo ? { ...pageTitles, ...demoPageTitles } : pageTitles);
  for (const [pattern, title] of titles) {
    const expected = pattern.split('/');
    const isHere =
      expected.length === given.length &&
      expected.every((part, i) => part.startsWith('$') || part === given[i]);
    if (isHere) return { pattern, title };
  }
  return null;
}

/** The app's pages that search engines may index, because everyone can read them. */
export const publicPages = ['/', '/customer/discover'] as const;
export const isPublicPage = (pattern: string) => publicPages.some((page) => page === pattern);

/** The app's pages that visitors may open. On the other pages, they see only that they have no access. */
const openPages = [
  ...['/login', '/signup', '/forgot-password', '/reset-password', '/verify', '/email-change'],
  ...['/team-invitation', '/guardian-invitation', '/become-a-coach', '/customer/discover'],
  ...['/pictures/$pictureId/report', '/reviews/$reviewId/report', ...Object.keys(demoPageTitles)],
];
export const isOpenPage = (pattern: string) => openPages.includes(pattern);
