import { createRoute, defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { readSearchParams } from '#domain/search-params.ts';
import type { DehydratedQuery } from '#server/platform/ssr/app-page.ts';
import { createAppRoot, renderApp } from '#server/platform/ssr/render-app.tsx';
import ForgotPasswordScreen from '#web/auth/emailed-links/forgot-password.tsx';
import ResetPasswordScreen from '#web/auth/emailed-links/reset-password.tsx';
import { LoginScreen } from '#web/auth/sign-in/login.tsx';
import { readNext } from '#web/auth/sign-in/next-page.ts';
import SignupScreen from '#web/auth/sign-in/signup.tsx';

const screens = {
  '/login': LoginScreen,
  '/signup': SignupScreen,
  '/forgot-password': ForgotPasswordScreen,
  '/reset-password': ResetPasswordScreen,
};
export type SignInPage = keyof typeof screens;

const readSearch = (raw: Record<string, unknown>) => readSearchParams({ next: readNext }, raw);

/** The query as the app would correct it: the page to go to afterwards, or empty. */
export const normaliseQuery = (query: string): string =>
  defaultStringifySearch(readSearch(defaultParseSearch(query)));

/** Renders a page for signing in. `query`: the result of {@link normaliseQuery}. Returns the HTML of the app's root. */
export function renderSignIn(
  path: SignInPage,
  query: string,
  dehydrated: DehydratedQuery[],
): Promise<string> {
  const root = createAppRoot();
  const screen = createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: readSearch,
    component: screens[path],
  });
  return renderApp({ routeTree: root.addChildren([screen]), address: path + query, dehydrated });
}
