import { Suspense } from 'react';
import { FooterBar } from '#web/ui/page/page-links.tsx';
import { SiteLinks } from '#web/ui/page/site-links.tsx';
import { lazyPart } from '../api/lazy-part.ts';
import { useProduct } from '../api/product.ts';

const ThemeSwitch = lazyPart(async () => (await import('#web/ui/page/theme-switch.tsx')).ThemeSwitch);

/** The foot of the pages a visitor sees; carries the theme where the header has no room for it. */
export function Footer() {
  const { brand } = useProduct();
  return (
    <FooterBar brand={brand} year={new Date().getFullYear()}>
      <nav aria-label="Footer" className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <SiteLinks />
      </nav>
      <Suspense>
        <ThemeSwitch className="sm:hidden" />
      </Suspense>
    </FooterBar>
  );
}
