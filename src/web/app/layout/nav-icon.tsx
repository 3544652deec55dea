import BadgeCheck from 'lucide-react/icons/badge-check';
import Building from 'lucide-react/icons/building-2';
import Calendar from 'lucide-react/icons/calendar';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import CreditCard from 'lucide-react/icons/credit-card';
import HouseHeart from 'lucide-react/icons/house-heart';
import Landmark from 'lucide-react/icons/landmark';
import LayoutTemplate from 'lucide-react/icons/layout-template';
import MapPin from 'lucide-react/icons/map-pin';
import PoundSterling from 'lucide-react/icons/pound-sterling';
import Search from 'lucide-react/icons/search';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Star from 'lucide-react/icons/star';
import Ticket from 'lucide-react/icons/ticket';
import Users from 'lucide-react/icons/users';
import UsersRound from 'lucide-react/icons/users-round';
import type { ComponentType } from 'react';
import type { NavItem } from './navigation.tsx';

type Icon = ComponentType<{ className?: string | undefined; 'aria-hidden'?: boolean }>;

// The nav items are in another file, because the first paint needs the items but not the icons.
const icons: Partial<Record<NonNullable<NavItem['to']>, Icon>> = {
  '/coach/calendar': Calendar,
  '/coach/templates': LayoutTemplate,
  '/coach/locations': MapPin,
  '/coach/earnings': PoundSterling,
  '/coach/bank-details': Landmark,
  '/coach/business': Building,
  '/coach/team': Users,
  '/coach/verification': BadgeCheck,
  '/coach/registers': ClipboardList,
  '/coach/reviews': Star,
  '/customer/discover': Search,
  '/customer/my-bookings': Ticket,
  '/customer/payment-methods': CreditCard,
  '/customer/coaches': UsersRound,
  '/account/family': HouseHeart,
  '/admin/panel': ShieldCheck,
};

/** The icon of a nav item in the bottom bar and in menus. */
export function NavIcon({ item, className }: { item: NavItem; className?: string }) {
  const Icon = item.to && icons[item.to];
  return Icon ? <Icon aria-hidden className={className} /> : null;
}
