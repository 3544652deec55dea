/**
 * The areas of the product, in order: an area may use the areas before it, but never those after it. Every check of
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
  'verification',
  'payments',
  'bookings',
  'progress',
  'reviews',
  'payouts',
  'desk',
  'realtime',
  'discover',
  'account',
  'admin',
];
