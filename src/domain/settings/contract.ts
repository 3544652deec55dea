import { z } from 'zod';
import { defaultBrand } from '../default-brand.ts';
import { endpoint } from '../endpoint.ts';
import { oneLine } from '../text.ts';

/** The refund terms for customers who cancel. */
export const cancellationPolicy = z.object({
  /** Full refund until this many hours before the start. */
  freeUntilHours: z
    .number('Enter a whole number of hours.')
    .int('Enter a whole number of hours.')
    .min(0, 'Enter 0 hours or more.')
    .max(720, 'Enter at most 720 hours (30 days).'),
  /** The percentage refunded after that. */
  lateRefundPercent: z
    .number('Enter a whole number from 0 to 100.')
    .int('Enter a whole number from 0 to 100.')
    .min(0, 'Enter a whole number from 0 to 100.')
    .max(100, 'Enter a whole number from 0 to 100.'),
  refundsEnabled: z.boolean(),
});
export type CancellationPolicy = z.output<typeof cancellationPolicy>;

const percentMessage = 'Enter a percentage from 0 to 100 with at most one decimal, such as 2.5.';

/** The platform's share of a booking's price. */
export const platformFee = z.object({
  mode: z.literal('percentage'),
  percent: z
    .number(percentMessage)
    .min(0, percentMessage)
    .max(100, percentMessage)
    .refine((percent) => Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-9, percentMessage),
  enabled: z.boolean(),
});
export type PlatformFee = z.output<typeof platformFee>;

export const brand = z.object({
  name: oneLine().min(1, 'Enter a name for the product.').max(40, 'Choose a name of at most 40 characters.'),
});
export type Brand = z.output<typeof brand>;

export const contact = z.object({
  /** The operator's contact address, also the reply-to of emails. Empty for none. */
  email: z
    .union([z.literal(''), z.email('Enter an email address, such as hello@club.example.')])
    .transform((address) => address.toLowerCase()),
});
export type Contact = z.output<typeof contact>;

/** One figure of the landing page, "500+" over "active coaches". */
const landingStat = z.object({
  figure: oneLine().min(1, 'Enter the figure, such as 500+.').max(12, 'At most 12 characters.'),
  label: oneLine().min(1, 'Enter what the figure counts.').max(40, 'At most 40 characters.'),
});

/** How many figures the landing page has room for. */
export const landingStatLimit = 3;

export const landingStats = z.object({
  /** Whether the landing page shows the figures; hidden ones are kept. */
  isShown: z.boolean(),
  stats: z
    .array(landingStat)
    .max(landingStatLimit, `The landing page has room for ${landingStatLimit} figures.`),
});
export type LandingStats = z.output<typeof landingStats>;

/** Whether a payrun needs two admins: one creates it, another downloads its file and marks it as paid. */
export const payrunControl = z.object({ needsSecondAdmin: z.boolean() });
export type PayrunControl = z.output<typeof payrunControl>;

/** All that an admin sets, by name. A new setting is its schema, its default below and its endpoint. */
export const settings = z.object({
  platformFee,
  cancellationPolicy,
  brand,
  contact,
  landingStats,
  payrunControl,
});
export type Settings = z.output<typeof settings>;

/** What holds until an admin saves something else, and if what is stored cannot be read. */
export const defaultSettings: Settings = {
  platformFee: { mode: 'percentage', percent: 2, enabled: true },
  cancellationPolicy: { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true },
  brand: { name: defaultBrand },
  contact: { email: '' },
  landingStats: { isShown: false, stats: [] },
  payrunControl: { needsSecondAdmin: false },
};

export const settingsApi = {
  getCancellationPolicy: endpoint({
    method: 'GET',
    path: '/api/cancellation-policy',
    operationId: 'get_cancellation_policy',
    gate: 'public',
    input: z.object({}),
    output: cancellationPolicy,
    summary: 'The terms a lesson booked now can be cancelled on.',
  }),
  getPlatformFee: endpoint({
    method: 'GET',
    path: '/api/platform-fee',
    operationId: 'get_platform_fee',
    gate: 'coach',
    input: z.object({}),
    output: platformFee,
    summary: 'What the platform keeps of the price of a lesson booked at this moment.',
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/api/product',
    operationId: 'get_product',
    gate: 'public',
    input: z.object({}),
    output: z.object({
      brand: z.string(),
      /** The operator's contact address; null if not set. */
      contactEmail: z.string().nullable(),
      /** True on the demo database: everyone may see the demo sign-ins and the mailbox page. */
      isDemo: z.boolean(),
      /** Empty if the operator hides them. */
      landingStats: landingStats.shape.stats,
    }),
    summary: 'What every page may know: the name of the product and the figures of the landing page.',
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/api/admin/settings',
    operationId: 'get_settings',
    gate: 'admin',
    input: z.object({}),
    output: settings,
    summary:
      'Everything an admin sets: platform fee, cancellation policy, brand, contact address, figures of the landing page.',
  }),
  updatePlatformFee: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/platform-fee',
    operationId: 'update_platform_fee',
    gate: 'admin',
    reauthenticate: true,
    input: platformFee,
    output: settings,
    summary: 'Changes the fee of bookings made from now on; earlier ones keep theirs.',
  }),
  updateCancellationPolicy: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/cancellation-policy',
    operationId: 'update_cancellation_policy',
    gate: 'admin',
    reauthenticate: true,
    input: cancellationPolicy,
    output: settings,
    summary: 'Changes the terms of bookings made from now on; earlier ones keep theirs.',
  }),
  updateBrand: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/brand',
    operationId: 'update_brand',
    gate: 'admin',
    reauthenticate: true,
    input: brand,
    output: settings,
    summary: 'Changes the name that the product goes by on every page and in every email.',
  }),
  updateContact: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/contact',
    operationId: 'update_contact',
    gate: 'admin',
    reauthenticate: true,
    input: contact,
    output: settings,
    summary: 'Changes the address that emails are answered to and that people write to.',
  }),
  updateLandingStats: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/landing-stats',
    operationId: 'update_landing_stats',
    gate: 'admin',
    reauthenticate: true,
    input: landingStats,
    output: settings,
    summary: 'Changes or hides the figures of the landing page.',
  }),
  updatePayrunControl: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/payrun-control',
    operationId: 'update_payrun_control',
    gate: 'admin',
    reauthenticate: true,
    input: payrunControl,
    output: settings,
    summary:
      'Says whether payruns created from now on take two admins; needs two of them. The other admins are emailed.',
  }),
};
