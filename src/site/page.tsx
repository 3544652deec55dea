import type { ReactNode } from 'react';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { writeStructuredData } from '#domain/script-data.ts';
import { Button } from '#web/ui/button.tsx';
import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { FooterBar, HeaderBar, VisitorLinks } from '#web/ui/page/page-links.tsx';
import { footerLink } from '#web/ui/page/site-links.tsx';
import { SkipLink } from '#web/ui/page/skip-link.tsx';
import { Spinner } from '#web/ui/page/spinner.tsx';
import { ThemeMenu } from '#web/ui/page/theme-menu.tsx';
import { ThemeSwitch } from '#web/ui/page/theme-switch.tsx';

/** The files that a page loads or contains, as URLs and texts. */
export type PageAssets = {
  style: string;
  /** The text of the style sheet, inlined to save a round trip before the first paint; null to link to `style`. */
  css: string | null;
  /** The URL of the font file; null if the font loads with the styles. */
  font: string | null;
  /** `early` and `script`: the URL of a script and, if it is inlined, its text; otherwise null. */
  early: { src: string; text: string | null };
  script: { src: string; text: string | null };
  /** The files of the app, for a browser with a session: the script, the modules that it imports, and the styles. */
  app: { script: string; modules: string[]; styles: string[] };
};

/**
 * Where "Join as Coach" leads: a sign-up that mentions coaching and continues to the application. Signed-in people go
 * straight to the application.
 */
export const joinAsCoach = '/signup?next=/become-a-coach';

/** The data that every page receives. `publicUrl` has no trailing slash; `now` is in ms since 1970. */
export type Site = { brand: string; publicUrl: string; assets: PageAssets; now: number };

type PageProps = {
  site: Site;
  /** The title without the brand, which is appended; null for only the brand. */
  title: string | null;
  description: string;
  /** The page's path, with a leading slash; null for a page that search engines must not list. */
  path: string | null;
  kind?: 'website' | 'profile';
  /** JSON-LD for search engines. */
  structuredData?: object;
  /** The page to return to after signing in or up. */
  next?: string;
  /** True if signed-in people get the app at this URL instead. */
  isStartOfApp?: boolean;
  children: ReactNode;
};

/** A whole HTML document: head, header, the page, footer. Works without JavaScript and looks like the app. */
export function Page({
  site,
  title,
  description,
  path,
  kind = 'website',
  structuredData,
  ...rest
}: PageProps) {
  const { brand, publicUrl, assets } = site;
  const { next, isStartOfApp = false, children } = rest;
  const fullTitle = title ? `${title} · ${brand}` : brand;
  const { app } = assets;
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{fullTitle}</title>
        <meta name="application-name" content={brand} />
        <meta name="description" content={description} />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0b1511" media="(prefers-color-scheme: dark)" />
        {/* Above the styles: a script waits for styles above it, and the first paint needs the theme and session. */}
        <Script {...assets.early} data-font={assets.font ?? undefined} data-session={sessionStorageKey} />
        <Script
          {...assets.script}
          data-app={isStartOfApp ? app.script : undefined}
          data-app-modules={isStartOfApp ? app.modules.join(' ') : undefined}
          data-app-styles={isStartOfApp ? app.styles.join(' ') : undefined}
        />
        {assets.css === null ? (
          <link rel="stylesheet" href={assets.style} />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file that the build wrote.
          <style dangerouslySetInnerHTML={{ __html: assets.css }} />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {path === null ? (
          <meta name="robots" content="noindex" />
        ) : (
          <>
            <link rel="canonical" href={publicUrl + path} />
            <meta property="og:url" content={publicUrl + path} />
            <meta property="og:type" content={kind} />
            <meta property="og:site_name" content={brand} />
            <meta property="og:title" content={title ?? brand} />
            <meta property="og:description" content={description} />
            <meta property="og:locale" content="en_GB" />
            <meta property="og:image" content={`${publicUrl}/icons/social-card.png`} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta property="og:image:alt" content={`The ${brand} logo in the centre circle of a pitch`} />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        {structuredData && (
          <script
            type="application/ld+json"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON must not be HTML-escaped; its "<" are escaped as JSON
            dangerouslySetInnerHTML={{ __html: writeStructuredData(structuredData) }}
          />
        )}
      </head>
      <body>
        {/* If the app takes over, it replaces the content of this element. */}
        <div id="root">
          <div className="flex min-h-dvh flex-col">
            <SkipLink />
            <HeaderBar>
              <a href="/" className={brandLinkClasses}>
                <BrandMark />
                {brand}
              </a>
              <div className="ml-auto flex min-w-0 items-center gap-1.5">
                {/* Hidden without JavaScript: the theme then follows the device. */}
                <ThemeMenu className="hidden handing-over:hidden! sm:scripted:block" />
                <WaysIn next={next} />
              </div>
            </HeaderBar>
            <main
              id="main"
              tabIndex={-1}
              className="flex grow flex-col outline-none handing-over:[&>:not([role=status])]:hidden!"
            >
              {isStartOfApp && <Spinner className="hidden! grow py-24 handing-over:flex!" />}
              {children}
            </main>
            <div className="handing-over:hidden!">
              <FooterBar
                brand={brand}
                year={new Date(site.now).getFullYear()}
                links={
                  <>
                    <a href="/customer/discover" className={footerLink}>
                      Find a lesson
                    </a>
                    <a href={joinAsCoach} className={footerLink}>
                      Coach with us
                    </a>
                  </>
                }
                theme={<ThemeSwitch className="hidden scripted:block sm:hidden!" />}
              />
            </div>
          </div>
        </div>
      </body>
    </html>
  );
}

/** Inlines the script if its text is known, which saves a round trip. */
function Script({ src, text, ...data }: PageAssets['script'] & Record<`data-${string}`, string | undefined>) {
  if (text === null) return <script src={src} {...data} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file that the build wrote.
  return <script {...data} dangerouslySetInnerHTML={{ __html: text }} />;
}

/** The links "Sign In" and "Get Started" or, for signed-in people, a link to the dashboard. */
function WaysIn({ next }: { next: string | undefined }) {
  const query = next ? `?next=${encodeURIComponent(next)}` : '';
  return (
    <>
      <div className="contents signed-in:hidden! handing-over:hidden!">
        <VisitorLinks link={(to, label) => <a href={to + query}>{label}</a>} />
      </div>
      <div className="hidden signed-in:contents! handing-over:hidden!">
        <Button asChild variant="secondary">
          <a href="/">Dashboard</a>
        </Button>
      </div>
    </>
  );
}
