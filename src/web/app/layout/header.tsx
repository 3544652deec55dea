import { Link, useLocation } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { ChevronDown, Menu, SunMoon } from '#web/ui/page/early-icons.tsx';
import { HeaderBar, VisitorLinks } from '#web/ui/page/page-links.tsx';
import { useProduct } from '../api/product.ts';
import { useAuth, useIsVisitor } from '../auth/auth-provider.tsx';
import { PersonLine, SignOutButton } from '../auth/person-line.tsx';
import { headerLink, type NavItem, NavLink, navItemsOf } from './navigation.tsx';

// These parts are loaded after the first paint; until then, placeholders take their space.
const OtherMenu = lazyPart(() => import('./menus.tsx'), 'OtherMenu');
const ThemeMenu = lazyPart(() => import('./later-parts.tsx'), 'ThemeMenu');
const Bell = lazyPart(() => import('./menus.tsx'), 'Bell');
const PersonPicture = lazyPart(() => import('./menus.tsx'), 'PersonPicture');
const PhoneMenu = lazyPart(() => import('./menus.tsx'), 'PhoneMenu');

/**
 * The brand and the theme menu; for signed-in people also the nav items, the bell, the person's name and picture, and
 * Sign Out; for visitors the links to sign in and up.
 */
export function Header() {
  const { user, profile, loading } = useAuth();
  const { header, other } = navItemsOf(profile);
  // A single item is shown as a link instead of a menu.
  const [links, menu] = other.length > 1 ? [header, other] : [[...header, ...other], []];
  const isWide = links.length > 4;
  return (
    <HeaderBar>
      <BrandLink />
      {user && links.length > 0 && (
        <nav aria-label="Main" className={cn('ml-3 hidden items-center', isWide ? 'lg:flex' : 'md:flex')}>
          <HeaderLinks items={links} other={menu} />
        </nav>
      )}
      <div className="ml-auto flex min-w-0 items-center gap-1.5">
        {user && !loading && (
          <Suspense fallback={<span className="size-10 touch:size-11" />}>
            <Bell />
          </Suspense>
        )}
        {user && !loading && (
          <>
            <PersonLine className={cn('mr-1 hidden', isWide ? 'lg:block' : 'md:block')} />
            <span className={cn('hidden size-8', isWide ? 'lg:block' : 'md:block')}>
              <Suspense fallback={null}>
                <PersonPicture />
              </Suspense>
            </span>
          </>
        )}
        <Suspense
          fallback={
            <IconButton
              label="Theme"
              className="hidden sm:inline-flex"
              icon={<SunMoon aria-hidden className="size-5" />}
            />
          }
        >
          <ThemeMenu
            className={user ? (isWide ? 'hidden lg:block' : 'hidden md:block') : 'hidden sm:block'}
          />
        </Suspense>
        {user && !loading && (
          <>
            <SignOutButton
              variant="secondary"
              className={cn('hidden', isWide ? 'lg:inline-flex' : 'md:inline-flex')}
            />
            <Suspense
              fallback={
                <IconButton
                  label="Menu"
                  className={isWide ? 'lg:hidden' : 'md:hidden'}
                  icon={<Menu aria-hidden className="size-5" />}
                />
              }
            >
              <PhoneMenu className={isWide ? 'lg:hidden' : 'md:hidden'} />
            </Suspense>
          </>
        )}
        <WaysIn />
      </div>
    </HeaderBar>
  );
}

function BrandLink() {
  const { brand } = useProduct();
  return (
    <HomeLink className={brandLinkClasses}>
      <BrandMark />
      {brand}
    </HomeLink>
  );
}

/** A link home: to the dashboard or, for a visitor, to the server-rendered landing page. */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  const { user, loading } = useAuth();
  return <Link to="/" {...props} reloadDocument={!user && !loading} activeProps={{}} />;
}

function HeaderLinks({ items, other }: { items: NavItem[]; other: NavItem[] }) {
  return (
    <>
      {items.map((item) => (
        <NavLink key={item.to} item={item} className={headerLink}>
          {item.label}
        </NavLink>
      ))}
      {other.length > 0 && (
        <Suspense
          fallback={
            <span className={headerLink}>
              Other <ChevronDown aria-hidden className="size-4" />
            </span>
          }
        >
          <OtherMenu items={other} />
        </Suspense>
      )}
    </>
  );
}

/** The links Sign In and Get Started; signing in returns to the current page, unless that is a page for signing in. */
function WaysIn() {
  const isVisitor = useIsVisitor();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const next =
    here === '/' || /^\/(login|signup|forgot-password|reset-password)\b/.test(here) ? undefined : here;
  if (!isVisitor) return null;
  return (
    <VisitorLinks
      link={(to, label) => (
        <Link to={to} search={{ next }}>
          {label}
        </Link>
      )}
    />
  );
}

/** Placeholder for a menu's button until the menu has loaded. */
function IconButton({ label, icon, className }: { label: string; icon: ReactNode; className?: string }) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} aria-busy aria-disabled className={className}>
      {icon}
    </Button>
  );
}
