import type { ComponentProps, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppFrame } from './app-frame.tsx';
import { CoachProfilePage } from './coach-profile.tsx';
import { LandingPage } from './landing.tsx';
import { NoSuchCoachPage, UnavailablePage } from './notice.tsx';
import { ReviewsPage } from './reviews.tsx';
import { ReviewsPolicyPage } from './reviews-policy.tsx';
import { TextPage } from './text-page.tsx';
import { UnsubscribePage } from './unsubscribe.tsx';

/** Renders a page to static HTML, which is not hydrated in the browser. */
function render(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

export const renderLanding = (given: ComponentProps<typeof LandingPage>) =>
  render(<LandingPage {...given} />);

export const renderCoachProfile = (given: ComponentProps<typeof CoachProfilePage>) =>
  render(<CoachProfilePage {...given} />);

export const renderReviews = (given: ComponentProps<typeof ReviewsPage>) =>
  render(<ReviewsPage {...given} />);

export const renderReviewsPolicy = (given: ComponentProps<typeof ReviewsPolicyPage>) =>
  render(<ReviewsPolicyPage {...given} />);

export const renderText = (given: ComponentProps<typeof TextPage>) => render(<TextPage {...given} />);

export const renderNoSuchCoach = (given: ComponentProps<typeof NoSuchCoachPage>) =>
  render(<NoSuchCoachPage {...given} />);

export const renderUnavailable = (given: ComponentProps<typeof UnavailablePage>) =>
  render(<UnavailablePage {...given} />);

export const renderUnsubscribe = (given: ComponentProps<typeof UnsubscribePage>) =>
  render(<UnsubscribePage {...given} />);

/** Renders what a page of the app shows until the app has loaded. */
export const renderAppFrame = (brand: string) => renderToStaticMarkup(<AppFrame brand={brand} />);
