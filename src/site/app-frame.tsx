import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { HeaderBar } from '#web/ui/page/page-links.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

/** What a page of the app shows until the app has loaded: its header with the brand, and a spinner. */
export function AppFrame({ brand }: { brand: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <HeaderBar>
        <a href="/" className={brandLinkClasses}>
          <BrandMark />
          {brand}
        </a>
      </HeaderBar>
      <main className="flex grow flex-col">
        <PageSpinner />
      </main>
    </div>
  );
}
