import { CatchBoundary, Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { missingPageTitle, titleOf } from '#domain/pages.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { announceReady } from '#web/ui/overlay/toaster.ts';
import { FooterBar } from '#web/ui/page/page-links.tsx';
import { SkipLink } from '#web/ui/page/skip-link.tsx';
import { useProduct } from '../api/product.ts';
import { useIsVisitor } from '../auth/auth-provider.tsx';
import { IdentityDialog } from '../auth/identity-dialog.tsx';
import { Header } from './header.tsx';

/** The frame of every page: skip link, header, page, footer, toasts. Sets the title and moves the focus. */
export function AppFrame() {
  usePageTitle();
  useFocusOnNavigation();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <Suspense>
        <OfflineHint />
      </Suspense>
      <main id="main" tabIndex={-1} className="flex grow flex-col outline-none [&_h1]:outline-none">
        <Outlet />
      </main>
      <Footer />
      <IdentityDialog />
      {/* Toasts and live updates load after the page. An error in them must not replace the page. */}
      <CatchBoundary getResetKey={() => 'toasts'} errorComponent={() => null}>
        <Suspense>
          <ToastRegion onReady={announceReady} />
          <Live />
        </Suspense>
      </CatchBoundary>
    </div>
  );
}

/** Sets the document's title: the page's title, then the product's name. */
function usePageTitle() {
  const { brand } = useProduct();
  const title = useMatches({
    select: (matches) =>
      matches.some((match) => match._notFound) ? missingPageTitle : titleOf(matches.at(-1)!.fullPath),
  });
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand;
  }, [title, brand]);
}

/** Focuses the page's heading or, while the page has none, its main part. */
function focusHeading() {
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main')!;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * After a page change, moves the focus to the heading so that a screen reader announces it, unless the person
 * has since entered a field, menu or dialog. A heading that appears later, with the page's data, gets the
 * focus as well, unless the person has since pressed a key, clicked or tapped.
 */
function useFocusOnNavigation() {
  const router = useRouter();
  useEffect(() => {
    let origin: Element | null = null;
    const laterHeading = new MutationObserver(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.id === 'main') focusHeading();
    });
    const stopWaiting = () => laterHeading.disconnect();
    const stopNoting = router.subscribe('onBeforeNavigate', () => {
      stopWaiting();
      origin = document.activeElement;
    });
    const stopMoving = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged) return;
      const focused = document.activeElement;
      if (
        focused !== origin &&
        focused?.closest(
          '[data-state=open]:is([role=menu], [role=dialog]), #main :is(input, textarea, select)',
        )
      ) {
        return;
      }
      focusHeading();
      laterHeading.observe(document.getElementById('main')!, { childList: true, subtree: true });
    });
    document.addEventListener('keydown', stopWaiting, true);
    document.addEventListener('pointerdown', stopWaiting, true);
    return () => {
      stopNoting();
      stopMoving();
      stopWaiting();
      document.removeEventListener('keydown', stopWaiting, true);
      document.removeEventListener('pointerdown', stopWaiting, true);
    };
  }, [router]);
}

const Live = lazyPart(() => import('./later-parts.tsx'), 'Live');

const ToastRegion = lazyPart(() => import('./later-parts.tsx'), 'ToastRegion');

const OfflineHint = lazyPart(() => import('./later-parts.tsx'), 'OfflineHint');

const ThemeSwitch = lazyPart(() => import('./later-parts.tsx'), 'ThemeSwitch');

/** The footer of visitors' pages. Contains the theme switch if there is no room for it in the header. */
function Footer() {
  const { brand } = useProduct();
  const isVisitor = useIsVisitor();
  if (!isVisitor) return null;
  return (
    <FooterBar
      brand={brand}
      year={new Date().getFullYear()}
      theme={
        <Suspense>
          <ThemeSwitch className="sm:hidden" />
        </Suspense>
      }
    />
  );
}
