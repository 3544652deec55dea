import type { ReactNode } from 'react';

/** The bar over every page. */
export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 border-b bg-background">
      <div className="mx-auto flex h-16 w-full max-w-page items-center gap-2 px-4">{children}</div>
    </header>
  );
}

/** The footer of visitors' pages. `brand`: the product's name; `year`: the current one. */
export function FooterBar({ brand, year, children }: { brand: string; year: number; children: ReactNode }) {
  return (
    <footer className="border-t">
      <div className="mx-auto flex min-h-20 w-full max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 text-sm text-muted-foreground">
        <p>
          © {year} {brand}
        </p>
        {children}
      </div>
    </footer>
  );
}
