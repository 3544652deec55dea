import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { type AddressParams, readSearchParams } from '#domain/search-params.ts';
import { readAdminSearch } from './admin/admin-search.ts';
import { AreaGate, DashboardGate, DemoOnly, Home } from './app/auth/gates.tsx';
import { hasStoredSession } from './app/auth/session.ts';
import { AppFrame } from './app/layout/app-frame.tsx';
import { FailureScreen, MissingPage } from './app/layout/fallbacks.tsx';
import { readNext } from './auth/sign-in/next-page.ts';
import { readCalendarSearch } from './bookings/calendar/calendar-search.ts';
import { readDiscoverSearch } from './discover/discover-search.ts';
import { PageSpinner } from './ui/page/spinner.tsx';

const root = createRootRoute({
  component: AppFrame,
  notFoundComponent: MissingPage,
  errorComponent: FailureScreen,
});

/** Removes parameters that `read` omits, which the router would otherwise pass on. */
function onlyRead<Search extends object>(read: (raw: Record<string, unknown>) => Search) {
  return (raw: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...read(raw),
  });
}

const reads = <Params extends AddressParams>(params: Params) =>
  onlyRead((raw) => readSearchParams(params, raw));

/** A screen inside an area. Without a session its scripts are not loaded, because the area's layout refuses access. */
const areaScreen: typeof lazyRouteComponent = (load, name) => {
  const screen = lazyRouteComponent(load, name);
  const { preload } = screen;
  return Object.assign(screen, { preload: async () => (hasStoredSession() ? preload?.() : undefined) });
};

/** The page of our site to go to after the current page. */
const next = readNext;
/** The dialog that is open over a page: `open` is its name, `cancel` the booking to cancel. */
const open = { maxLength: 20 };
const cancel = { maxLength: 100 };
const token = { maxLength: 200 };
const emailLinks = ['signup', 'recovery'] as const;

const DashboardPage = lazyRouteComponent(() => import('./bookings/my-bookings/dashboard-page.tsx'));
const AdminHome = lazyRouteComponent(() => import('./admin/admin-home.tsx'), 'AdminHome');

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => (
    <Suspense fallback={<PageSpinner />}>
      <Home dashboard={<DashboardPage ofAdmins={<AdminHome />} />} />
    </Suspense>
  ),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  component: () => (
    <DashboardGate>
      <DashboardPage ofAdmins={<AdminHome />} />
    </DashboardGate>
  ),
});

const myBookings = createRoute({
  getParentRoute: () => root,
  path: '/my-bookings',
  beforeLoad: () => {
    throw redirect({ to: '/customer/my-bookings', replace: true });
  },
});

const visitorRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: reads({ next }),
    component: lazyRouteComponent(() => import('./auth/sign-in/login.tsx'), 'LoginScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signup',
    validateSearch: reads({ next }),
    component: lazyRouteComponent(() => import('./auth/sign-in/signup.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    validateSearch: reads({ next }),
    component: lazyRouteComponent(() => import('./auth/emailed-links/forgot-password.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: reads({ next }),
    component: lazyRouteComponent(() => import('./auth/emailed-links/reset-password.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify',
    // `link` or `token_hash` is missing if the link was cut off or made up. The page never shows text from the URL.
    validateSearch: reads({ link: { of: emailLinks }, token_hash: token, next }),
    component: lazyRouteComponent(() => import('./auth/emailed-links/verify.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/email-change',
    validateSearch: reads({ token }),
    component: lazyRouteComponent(() => import('./auth/emailed-links/confirm-email-change.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyRouteComponent(() => import('./account/account.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account/family',
    component: lazyRouteComponent(() => import('./accounts/family/my-family.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account/family/$participantId',
    component: lazyRouteComponent(() => import('./account/family/participant-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account/family/$participantId/progress',
    component: lazyRouteComponent(() => import('./progress/family-progress.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/welfare-concerns',
    component: lazyRouteComponent(() => import('./progress/welfare-concerns.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/notifications',
    component: lazyRouteComponent(() => import('./notifications/notifications-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pictures/$pictureId/report',
    component: lazyRouteComponent(() => import('./storage/report-picture.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reviews/$reviewId/report',
    validateSearch: reads({ about: { of: ['reply'] } }),
    component: lazyRouteComponent(() => import('./reviews/report-review.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reviews/$reviewId/decision',
    component: lazyRouteComponent(() => import('./reviews/review-decision.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/team-invitation',
    validateSearch: reads({ token }),
    component: lazyRouteComponent(() => import('./businesses/team-invitation.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/become-a-coach',
    component: lazyRouteComponent(() => import('./verification/become-a-coach.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/guardian-invitation',
    validateSearch: reads({ token }),
    component: lazyRouteComponent(() => import('./accounts/family/guardian-invitation.tsx')),
  }),
  // Outside the coach's layout, because a register also opens without a connection, when roles can't be checked.
  createRoute({
    getParentRoute: () => root,
    path: '/coach/registers',
    component: lazyRouteComponent(() => import('./bookings/register/registers.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/coach/registers/$slotId',
    component: lazyRouteComponent(() => import('./bookings/register/register.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/coach/registers/$slotId/notes',
    component: lazyRouteComponent(() => import('./progress/lesson-notes.tsx')),
  }),
] as const;

const coach = createRoute({
  getParentRoute: () => root,
  path: '/coach',
  component: lazyRouteComponent(() => import('./app/layout/area-layout.tsx'), 'CoachLayout'),
});
const CoachHome = areaScreen(() => import('./account/coach-home.tsx'));
const coachRoutes = [
  createRoute({
    getParentRoute: () => coach,
    path: '/',
    validateSearch: onlyRead(readCalendarSearch),
    component: CoachHome,
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/calendar',
    validateSearch: onlyRead(readCalendarSearch),
    component: CoachHome,
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/dashboard',
    beforeLoad: () => {
      throw redirect({ to: '/coach/calendar', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/templates',
    component: areaScreen(() => import('./catalogue/templates.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/locations',
    component: areaScreen(() => import('./catalogue/locations.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/business',
    component: areaScreen(() => import('./businesses/business.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/team',
    component: areaScreen(() => import('./businesses/team.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/progress',
    component: areaScreen(() => import('./progress/progress-settings.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/participants/$participantId',
    component: areaScreen(() => import('./progress/taught-progress.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/reviews',
    component: areaScreen(() => import('./reviews/coach-reviews.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/earnings',
    component: areaScreen(() => import('./payouts/earnings.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/earnings/$payrunId',
    component: areaScreen(() => import('./payouts/statement-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/bank-details',
    component: areaScreen(() => import('./payouts/bank-details.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/verification',
    component: areaScreen(() => import('./verification/my-checks.tsx')),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/lesson/$slotId',
    validateSearch: reads({ open }),
    component: areaScreen(() => import('./bookings/lesson/lesson-detail.tsx')),
  }),
] as const;

const customer = createRoute({
  getParentRoute: () => root,
  path: '/customer',
  component: lazyRouteComponent(() => import('./app/layout/area-layout.tsx'), 'CustomerLayout'),
});
const customerRoutes = [
  createRoute({
    getParentRoute: () => customer,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/customer/dashboard', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/dashboard',
    component: areaScreen(
      () => import('./bookings/my-bookings/customer-dashboard.tsx'),
      'CustomerDashboardScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/discover',
    validateSearch: onlyRead(readDiscoverSearch),
    component: lazyRouteComponent(() => import('./discover/discover.tsx'), 'DiscoverScreen'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/coaches',
    component: areaScreen(() => import('./bookings/my-bookings/my-coaches.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/my-bookings',
    validateSearch: reads({ cancel }),
    component: areaScreen(() => import('./bookings/my-bookings/my-bookings.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/bookings/$bookingId',
    validateSearch: reads({ cancel }),
    component: areaScreen(() => import('./bookings/my-bookings/receipt.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/reviews',
    component: areaScreen(() => import('./reviews/my-reviews.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/reviews/$bookingId',
    component: areaScreen(() => import('./reviews/write-review.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/basket',
    component: areaScreen(() => import('./bookings/checkout/basket-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/payment-methods',
    validateSearch: reads({ next, open }),
    component: areaScreen(() => import('./payments/payment-methods.tsx')),
  }),
] as const;

const AdminPanelScreen = lazyRouteComponent(() => import('./admin/admin-panel.tsx'));
const adminPanel = createRoute({
  getParentRoute: () => root,
  path: '/admin/panel',
  validateSearch: onlyRead(readAdminSearch),
  component: () => (
    <AreaGate area="admin">
      <AdminPanelScreen />
    </AreaGate>
  ),
});

const payrun = createRoute({
  getParentRoute: () => root,
  path: '/admin/payruns/$payrunId',
  component: lazyRouteComponent(() => import('./payouts/payruns/payrun-page.tsx')),
});

const deskBooking = createRoute({
  getParentRoute: () => root,
  path: '/admin/bookings/$bookingId',
  component: lazyRouteComponent(() => import('./desk/desk-booking.tsx')),
});

const dispute = createRoute({
  getParentRoute: () => root,
  path: '/admin/disputes/$disputeId',
  component: lazyRouteComponent(() => import('./bookings/disputes/dispute-page.tsx')),
});

const coachChecks = createRoute({
  getParentRoute: () => root,
  path: '/admin/coaches/$coachId',
  component: lazyRouteComponent(() => import('./verification/admin/coach-checks-page.tsx')),
});

const application = createRoute({
  getParentRoute: () => root,
  path: '/admin/applications/$applicationId',
  component: lazyRouteComponent(() => import('./verification/applications/application-page.tsx')),
});

const reviewCase = createRoute({
  getParentRoute: () => root,
  path: '/admin/reviews/$caseId',
  component: lazyRouteComponent(() => import('./reviews/review-case-page.tsx')),
});

const OutboxScreen = lazyRouteComponent(() => import('./dev/outbox.tsx'));
const ComponentGallery = lazyRouteComponent(() => import('./dev/component-gallery.tsx'));
const demoRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/demo/outbox',
    component: () => (
      <DemoOnly>
        <OutboxScreen />
      </DemoOnly>
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/dev/ui',
    component: () => (
      <DemoOnly>
        <ComponentGallery />
      </DemoOnly>
    ),
  }),
] as const;

/** The URLs of the app; a test compares them with the server's list of pages (domain/pages.ts). */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    dashboard,
    myBookings,
    ...visitorRoutes,
    coach.addChildren(coachRoutes),
    customer.addChildren(customerRoutes),
    adminPanel,
    payrun,
    deskBooking,
    dispute,
    application,
    coachChecks,
    reviewCase,
    ...demoRoutes,
  ]),
  notFoundMode: 'root',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: FailureScreen,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The email address typed on the previous page, kept out of the URL. */
    email?: string;
  }
  interface Register {
    router: typeof router;
  }
}
