/**
 * The areas of the product, in order: an area may use those before it, never those after it. Every check that knows
 * areas reads this list.
 */
export const areas = [
  'settings',
  'notifications',
  'storage',
  'auth',
  'accounts',
  'businesses',
  'catalogue',
  'payments',
  'bookings',
  'payouts',
  'realtime',
  'discover',
  'account',
  'admin',
];
