import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { cn } from '#web/ui/class-names.ts';
import { isCurrentItem, type NavItem } from './navigation.ts';

/** Look of a link in the header's row; the current place carries a line on the header's edge. */
export const headerLink = cn(
  'relative inline-flex h-10 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap base:text-muted-foreground',
  'transition-colors hover:bg-accent hover:text-foreground aria-[current=page]:text-foreground',
  'aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-2.5 aria-[current=page]:after:-bottom-3.25',
  'aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-primary',
);

type NavLinkProps = Omit<ComponentProps<'a'>, 'href'> & { item: NavItem };

/** A link to a place, marked as the current one while the person is anywhere in it. */
export function NavLink({ item, ...props }: NavLinkProps) {
  const isCurrent = useLocation({ select: ({ pathname }) => isCurrentItem(item, pathname) });
  return <Link to={item.to} {...props} activeProps={{}} aria-current={isCurrent ? 'page' : undefined} />;
}
