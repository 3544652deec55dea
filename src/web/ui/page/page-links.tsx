import type { ReactElement, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { SiteLinks } from './site-links.tsx';

/** The bar at the top of every page. */
export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 border-b bg-background">
      <div className="mx-auto flex h-16 w-full max-w-page items-center gap-2 px-4">{children}</div>
    </header>
  );
}

type VisitorLinksProps = { link: (to: '/login' | '/signup', label: string) => ReactElement };

/** The header's links Sign In and Get Started; `link` renders a link that returns to the current page afterwards. */
export function VisitorLinks({ link }: VisitorLinksProps) {
  return (
    <>
      <Button asChild variant="ghost" className="px-3">
        {link('/login', 'Sign In')}
      </Button>
      <Button asChild className="px-3 sm:px-4">
        {link('/signup', 'Get Started')}
      </Button>
    </>
  );
}

type FooterBarProps = {
  brand: string;
  year: number;
  /** Links shown before the links to terms, privacy, help and contact. */
  links?: ReactNode;
  /** The theme switch for phones, whose header has no room for the switch. */
  theme: ReactNode;
};

/** The footer of visitors' pages. */
export function FooterBar({ brand, year, links, theme }: FooterBarProps) {
  return (
    <footer className="border-t">
      <div className="mx-auto flex min-h-20 w-full max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 text-sm text-muted-foreground">
        <p>
          © {year} {brand}
        </p>
        <nav aria-label="Footer" className="flex flex-wrap items-center gap-x-5 gap-y-2">
          {links}
          <SiteLinks />
        </nav>
        {theme}
      </div>
    </footer>
  );
}
