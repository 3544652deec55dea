import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { BrokenLine } from '#web/ui/page/pitch-lines.tsx';
import { Page, type Site } from './page.tsx';

type NoticeProps = {
  site: Site;
  title: string;
  illustration?: ReactNode;
  action: ReactNode;
  children: string;
};

function Notice({ site, title, illustration, action, children }: NoticeProps) {
  return (
    <Page site={site} title={title} description={children} path={null}>
      <div className="flex grow flex-col items-center justify-center py-10">
        <EmptyState titleAs="h1" title={title} illustration={illustration} action={action}>
          {children}
        </EmptyState>
      </div>
    </Page>
  );
}

/** Shown at the URL of a coach's page if it names no current coach. */
export function NoSuchCoachPage({ site }: { site: Site }) {
  return (
    <Notice
      site={site}
      title="Coach not found"
      action={
        <Button asChild>
          <a href="/customer/discover">Find a lesson</a>
        </Button>
      }
    >
      Check the address, or find another coach. This coach may no longer teach here.
    </Notice>
  );
}

/** Shown if a page can't be rendered, or after too many requests. `path`: the page that "Try again" opens. */
export function UnavailablePage({ site, path }: { site: Site; path: string }) {
  return (
    <Notice
      site={site}
      title="We'll be right back"
      illustration={<BrokenLine />}
      action={
        <Button asChild>
          <a href={path}>Try again</a>
        </Button>
      }
    >
      {`${site.brand} can't show this page right now. Your bookings are safe. Please try again in a moment.`}
    </Notice>
  );
}
