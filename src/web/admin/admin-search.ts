import { roles } from '#domain/access.ts';
import { auditKinds } from '#domain/admin/audit-labels.ts';
import { readSearchParams, type SearchParams, type ValuesOf } from '#domain/search-params.ts';

export const adminTabs = [
  'overview',
  'users',
  'applications',
  'bookings',
  'payouts',
  'settings',
  'verification',
  'pictures',
  'reviews',
] as const;
export type AdminTab = (typeof adminTabs)[number];

const text = { maxLength: 100 };

/** The admin panel's URL parameters: the tab and its filters. */
const params = {
  tab: { of: adminTabs },
  /** `search`, `role` and `checks` filter the users or coaches: part of a name or email address, a role, a state. */
  search: text,
  role: { of: roles },
  checks: { of: ['waiting', 'hidden', 'ending'] },
  /** `booking` and `on` find bookings: a reference, person, lesson or card, and the lesson's London date. */
  booking: text,
  on: { is: 'date' },
  /**
   * `coach` and `ready` filter payable bookings: by part of the coach's name or email address, and by whether
   * the coach has given bank details.
   */
  coach: text,
  ready: { is: 'flag' },
  /** `group` lists payable bookings by coach instead of one by one. */
  group: { of: ['coaches'] },
  /** `from` and `to`: the first and last London date on which payable lessons ended or audit events were recorded. */
  from: { is: 'date' },
  to: { is: 'date' },
  /** `about` and `kind` filter the audit log: a person or an id, and a kind of event. */
  about: text,
  kind: { of: auditKinds },
} as const satisfies SearchParams;
export type AdminSearch = ValuesOf<typeof params>;

/** Parses the URL's parameters and leaves out invalid values. */
export const readAdminSearch = (raw: Record<string, unknown>): AdminSearch => readSearchParams(params, raw);
