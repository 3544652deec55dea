import { type Role, roles } from '#domain/access.ts';
import { type AuditKind, auditKinds } from '#domain/admin/audit-labels.ts';
import { readDate } from '#web/discover/discover-search.ts';

export const adminTabs = ['overview', 'users', 'payouts', 'settings'] as const;
export type AdminTab = (typeof adminTabs)[number];

/** The admin panel's part of the address: the tab and its filters. */
export type AdminSearch = {
  tab?: AdminTab;
  /** Users: part of the name or address, and a role. */
  search?: string;
  role?: Role;
  /** Payable bookings: part of the coach's name or address, and only of coaches with bank details. */
  coach?: string;
  ready?: true;
  /** Payable bookings by coach instead of one by one. */
  group?: 'coaches';
  /** London dates "2026-11-21", inclusive: when a payable lesson ended, or an audit event was recorded. */
  from?: string;
  to?: string;
  /** Audit log: a person or an id, and a kind of event. */
  about?: string;
  kind?: AuditKind;
};

const text = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim()
    ? String(value).slice(0, 100)
    : undefined;
const oneOf = <T extends string>(value: unknown, allowed: readonly T[]) =>
  allowed.find((one) => one === value);

/** Parses the URL; invalid parameters are dropped rather than refused. */
export function readAdminSearch(raw: Record<string, unknown>): AdminSearch {
  const read = {
    tab: oneOf(raw.tab, adminTabs),
    search: text(raw.search),
    role: oneOf(raw.role, roles),
    coach: text(raw.coach),
    ready: raw.ready === true ? true : undefined,
    group: oneOf(raw.group, ['coaches'] as const),
    from: readDate(raw.from),
    to: readDate(raw.to),
    about: text(raw.about),
    kind: oneOf(raw.kind, auditKinds),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
