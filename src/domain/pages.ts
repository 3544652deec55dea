/** Where everybody can read about a coach; the server draws this page, and `/` for visitors (src/server/public-pages.ts). */
export const coachPath = (coachId: string) => `/coaches/${coachId}`;

/**
 * The addresses of the app's pages, `:name` standing for one segment. The server answers 404 for any other;
 * the browser's routes are tested to be the same.
 */
export const pagePaths = [
  '/',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/verify',
  '/team-invitation',
  '/account',
  '/email-change',
  '/dashboard',
  '/admin/panel',
  '/my-bookings',
  '/coach',
  '/coach/dashboard',
  '/coach/calendar',
  '/coach/templates',
  '/coach/locations',
  '/coach/earnings',
  '/coach/bank-details',
  '/coach/business',
  '/coach/team',
  '/coach/lesson/:slotId',
  '/customer',
  '/customer/dashboard',
  '/customer/discover',
  '/customer/coaches',
  '/customer/my-bookings',
  '/customer/bookings/:bookingId',
  '/customer/payment-methods',
] as const;

/** Pages that exist in the demo only. */
export const demoPagePaths = ['/dev/ui', '/demo/outbox'] as const;

/** True where a page of the product lives at this address. */
export function isPage(path: string, { isDemo }: { isDemo: boolean }): boolean {
  const bare = path.length > 1 ? path.replace(/\/+$/, '') : path;
  const patterns: readonly string[] = isDemo ? [...pagePaths, ...demoPagePaths] : pagePaths;
  return patterns.some((pattern) => {
    const wanted = pattern.split('/');
    const given = bare.split('/');
    return (
      wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
    );
  });
}
