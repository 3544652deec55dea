import { useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { cn } from '#web/ui/class-names.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { ChevronDown } from '#web/ui/page/early-icons.tsx';
import { NavIcon } from './nav-icon.tsx';
import { headerLink, isCurrentItem, type NavItem, NavLink } from './navigation.tsx';

/** The header's "Other": pages that are not visited every day. */
export function OtherMenu({ items }: { items: NavItem[] }) {
  const here = useLocation({ select: ({ pathname }) => pathname });
  const isWithin = items.some((item) => isCurrentItem(item, here));
  /** On the way to another page, whose heading gets the focus, however late the menu closes. */
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
