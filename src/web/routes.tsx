import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { readAdminSearch } from './admin/admin-search.ts';
import { AreaGate, DashboardGate, DemoOnly, Home } from './app/auth/gates.tsx';
import { AppFrame } from './app/layout/app-frame.tsx';
import type { DialogSearch } from './app/layout/dialog-address.ts';
import { FailureScreen, MissingPage } from './app/layout/fallbacks.tsx';
import { readLink } from './auth/emailed-links/email-link.ts';
import { readNext } from './auth/sign-in/next-page.ts';
import { readCalendarSearch } from './bookings/calendar/calendar-search.ts';
import { readDiscoverSearch } from './discover/discover-search.ts';
import { PageSpinner } from './ui/page/spinner.tsx';

const root = createRootRoute({
  component: AppFrame,
  notFoundComponent: MissingPage,
  errorComponent: FailureScreen,
});

/** The router would pass on parameters that the reader omits; this drops them. */
function onlyRead<Search extends object>(read: (raw: Record<string, unknown>) => Search) {
  return (raw: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...read(raw),
  });
}

/** `?next=`: our page to go to when this one is done. */
const readNextSearch = (raw: Record<string, unknown>): { next?: string } => {
  const next = readNext(raw.next);
  return next ? { next } : {};
};
const withNext = onlyRead(readNextSearch);

const withCancel = onlyRead(
  (raw): DialogSearch => (typeof raw.cancel === 'string' ? { cancel: raw.cancel } : {}),
);
const readOpen = (raw: Record<string, unknown>): DialogSearch =>
  typeof raw.open === 'string' ? { open: raw.open } : {};
const withOpen = onlyRead(readOpen);

const DashboardPage = lazyRouteComponent(
  () => import('./bookings/my-bookings/dashboard-page.tsx'),
  'DashboardPage',
);
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
  staticData: { title: 'Dashboard' },
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
    staticData: { title: 'Sign in' },
    validateSearch: withNext,
    component: lazyRouteComponent(() => import('./auth/sign-in/login.tsx'), 'LoginScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signup',
    staticData: { title: 'Create an account' },
    validateSearch: withNext,
    component: lazyRouteComponent(() => import('./auth/sign-in/signup.tsx'), 'SignupScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    staticData: { title: 'Forgot your password?' },
    validateSearch: withNext,
    component: lazyRouteComponent(
      () => import('./auth/emailed-links/forgot-password.tsx'),
      'ForgotPasswordScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    staticData: { title: 'Choose a new password' },
    validateSearch: withNext,
    component: lazyRouteComponent(
      () => import('./auth/emailed-links/reset-password.tsx'),
      'ResetPasswordScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify',
    staticData: { title: 'Open an emailed link' },
    validateSearch: onlyRead(readLink),
    component: lazyRouteComponent(() => import('./auth/emailed-links/verify.tsx'), 'VerifyScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/email-change',
    staticData: { title: 'Confirm your email address' },
    validateSearch: onlyRead((raw): { token?: string } =>
      typeof raw.token === 'string' ? { token: raw.token } : {},
    ),
    component: lazyRouteComponent(
      () => import('./auth/emailed-links/confirm-email-change.tsx'),
      'ConfirmEmailChangeScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    staticData: { title: 'Account' },
    component: lazyRouteComponent(() => import('./account/account.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/team-invitation',
    staticData: { title: 'Team invitation' },
    validateSearch: onlyRead((raw): { token?: string } =>
      typeof raw.token === 'string' ? { token: raw.token } : {},
    ),
    component: lazyRouteComponent(() => import('./businesses/team-invitation.tsx'), 'TeamInvitationScreen'),
  }),
] as const;

const coach = createRoute({
  getParentRoute: () => root,
  path: '/coach',
  component: lazyRouteComponent(() => import('./app/layout/area-layout.tsx'), 'CoachLayout'),
});
const CoachCalendar = lazyRouteComponent(
  () => import('./bookings/calendar/coach-calendar.tsx'),
  'CoachCalendarScreen',
);
const coachRoutes = [
  createRoute({
    getParentRoute: () => coach,
    path: '/',
    staticData: { title: 'Calendar' },
    validateSearch: onlyRead(readCalendarSearch),
    component: CoachCalendar,
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/calendar',
    staticData: { title: 'Calendar' },
    validateSearch: onlyRead(readCalendarSearch),
    component: CoachCalendar,
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
    staticData: { title: 'Lesson templates' },
    component: lazyRouteComponent(() => import('./catalogue/templates.tsx'), 'TemplatesScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/locations',
    staticData: { title: 'Locations' },
    component: lazyRouteComponent(() => import('./catalogue/locations.tsx'), 'LocationsScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/business',
    staticData: { title: 'Business' },
    component: lazyRouteComponent(() => import('./businesses/business.tsx'), 'BusinessScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/team',
    staticData: { title: 'Team' },
    component: lazyRouteComponent(() => import('./businesses/team.tsx'), 'TeamScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/earnings',
    staticData: { title: 'Earnings' },
    component: lazyRouteComponent(() => import('./payouts/earnings.tsx'), 'EarningsScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/bank-details',
    staticData: { title: 'Bank details' },
    component: lazyRouteComponent(() => import('./payouts/bank-details.tsx'), 'BankDetailsScreen'),
  }),
  createRoute({
    getParentRoute: () => coach,
    path: '/lesson/$slotId',
    staticData: { title: 'Lesson' },
    validateSearch: withOpen,
    component: lazyRouteComponent(() => import('./bookings/lesson/lesson-detail.tsx'), 'LessonDetailScreen'),
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
    staticData: { title: 'Dashboard' },
    component: lazyRouteComponent(
      () => import('./bookings/my-bookings/customer-dashboard.tsx'),
      'CustomerDashboardScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/discover',
    staticData: { title: 'Find a lesson' },
    validateSearch: onlyRead(readDiscoverSearch),
    component: lazyRouteComponent(() => import('./discover/discover.tsx'), 'DiscoverScreen'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/coaches',
    staticData: { title: 'My Coaches' },
    component: lazyRouteComponent(() => import('./bookings/my-bookings/my-coaches.tsx'), 'MyCoachesScreen'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/my-bookings',
    staticData: { title: 'My bookings' },
    validateSearch: withCancel,
    component: lazyRouteComponent(() => import('./bookings/my-bookings/my-bookings.tsx'), 'MyBookingsScreen'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/bookings/$bookingId',
    staticData: { title: 'Receipt' },
    validateSearch: withCancel,
    component: lazyRouteComponent(() => import('./bookings/my-bookings/receipt.tsx'), 'ReceiptScreen'),
  }),
  createRoute({
    getParentRoute: () => customer,
    path: '/payment-methods',
    staticData: { title: 'Payment methods' },
    validateSearch: onlyRead((raw) => ({ ...readNextSearch(raw), ...readOpen(raw) })),
    component: lazyRouteComponent(() => import('./payments/payment-methods.tsx'), 'PaymentMethodsScreen'),
  }),
] as const;

const AdminPanelScreen = lazyRouteComponent(() => import('./admin/admin-panel.tsx'), 'AdminPanelScreen');
const adminPanel = createRoute({
  getParentRoute: () => root,
  path: '/admin/panel',
  staticData: { title: 'Admin Panel' },
  validateSearch: onlyRead(readAdminSearch),
  component: () => (
    <AreaGate area="admin">
      <AdminPanelScreen />
    </AreaGate>
  ),
});

const OutboxScreen = lazyRouteComponent(() => import('./dev/outbox.tsx'), 'OutboxScreen');
const ComponentGallery = lazyRouteComponent(() => import('./dev/component-gallery.tsx'), 'ComponentGallery');
const demoRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/demo/outbox',
    staticData: { title: 'Demo mailbox' },
    component: () => (
      <DemoOnly>
        <OutboxScreen />
      </DemoOnly>
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/dev/ui',
    staticData: { title: 'Components' },
    component: () => (
      <DemoOnly>
        <ComponentGallery />
      </DemoOnly>
    ),
  }),
] as const;

/** Every URL of the product; a test compares them with the server's list of pages (domain/pages.ts). */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    dashboard,
    myBookings,
    ...visitorRoutes,
    coach.addChildren(coachRoutes),
    customer.addChildren(customerRoutes),
    adminPanel,
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
    /** Text typed on the previous page, kept out of the address. */
    email?: string;
  }
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page's title in the browser's tab and history, before the brand. */
    title?: string;
  }
}
