import { Suspense } from 'react';
import { lazyPart } from './lazy-part.ts';
import { useProduct } from './product.ts';

const ThemeSwitch = lazyPart(async () => (await import('#web/ui/theme-switch.tsx')).ThemeSwitch);

/** The foot of the pages a visitor sees; carries the theme where the header has no room for it. */
export function Footer() {
  const { brand } = useProduct();
  return (
    <footer className="border-t">
      <div className="mx-auto flex min-h-20 w-full max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 text-sm text-muted-foreground">
        <p>
          © {new Date().getFullYear()} {brand}
        </p>
        <Suspense>
          <ThemeSwitch className="sm:hidden" />
        </Suspense>
      </div>
    </footer>
  );
}
