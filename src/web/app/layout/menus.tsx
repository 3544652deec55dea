import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { Sheet, SheetContent, SheetTrigger } from '#web/ui/overlay/sheet.tsx';
import { ChevronDown, Menu } from '#web/ui/page/early-icons.tsx';
import { ThemeSwitch } from '#web/ui/page/theme-switch.tsx';
import { useAuth } from '../auth/auth-provider.tsx';
import { PersonLine, SignOutButton } from '../auth/person-line.tsx';
import { NavIcon } from './nav-icon.tsx';
import { headerLink, isCurrentItem, type NavItem, NavLink, navItemsOf } from './navigation.tsx';

// Exported here so that the bell loads together with the menus.
export { Bell } from '#web/notifications/bell.tsx';

/** The header's menu "Other", for pages that are not visited every day. */
export function OtherMenu({ items }: { items: NavItem[] }) {
  const here = useLocation({ select: ({ pathname }) => pathname });
  const isWithin = items.some((item) => isCurrentItem(item, here));
  /** True while another page opens: the new page's heading keeps the focus, even if the menu closes later. */
  const isLeaving = useRef(false);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={cn(headerLink, isWithin && 'text-foreground')}>
        Other <ChevronDown aria-hidden className="size-4" />
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="start"
        onCloseAutoFocus={(event) => {
          if (isLeaving.current) event.preventDefault();
          isLeaving.current = false;
        }}
      >
        {items.map((item) => (
          <DropdownMenuItem
            key={item.to}
            asChild
            onSelect={() => {
              isLeaving.current = item.to !== here;
            }}
          >
            <NavLink item={item}>
              <NavIcon item={item} />
              {item.label}
            </NavLink>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The signed-in person's picture, or their initials. */
export function PersonPicture() {
  const { user, profile } = useAuth();
  const name = profile?.fullName || user?.email || '';
  return <Avatar name={name} src={profile?.avatarUrl} size="sm" />;
}

/** The header's menu on narrow screens, with everything that does not fit in the header. */
export function PhoneMenu({ className }: { className?: string }) {
  const { user, profile } = useAuth();
  const [isOpen, setIsOpen] = useState(false);
  const { history } = useRouter();
  const { header, other } = navItemsOf(profile);
  // Going to another page closes the menu. A redirect (REPLACE) may come from a page chosen before the menu was opened.
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type !== 'REPLACE') setIsOpen(false);
      }),
    [history],
  );
  return (
    <Sheet open={isOpen} onOpenChange={setIsOpen}>
      <SheetTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="Menu" className={className}>
          <Menu aria-hidden className="size-5" />
        </Button>
      </SheetTrigger>
      <SheetContent title="Menu">
        <DialogBody>
          <div className="flex items-center gap-3">
            <Avatar name={profile?.fullName || user?.email || ''} src={profile?.avatarUrl} />
            <PersonLine className="text-left" />
          </div>
          <nav aria-label="Menu" className="mt-4 flex flex-col border-y py-2">
            {[...header, ...other].map((item) => (
              <NavLink
                key={item.to}
                item={item}
                onClick={() => setIsOpen(false)}
                className="-mx-2 flex h-12 items-center gap-3 rounded-md px-2 hover:bg-accent aria-[current=page]:font-medium aria-[current=page]:text-primary"
              >
                <NavIcon item={item} className="size-5" />
                {item.label}
              </NavLink>
            ))}
          </nav>
          <div className="mt-4 flex items-center justify-between gap-4 text-sm">
            Theme
            <ThemeSwitch />
          </div>
        </DialogBody>
        <DialogFooter>
          <SignOutButton variant="secondary" className="w-full" />
        </DialogFooter>
      </SheetContent>
    </Sheet>
  );
}
