import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { oneLine } from '../text.ts';

/** When a customer who cancels gets how much back. */
export const cancellationPolicy = z.object({
  /** Everything comes back until so many hours before the start. */
  freeUntilHours: z
    .number('Give a number of whole hours.')
    .int('Give a number of whole hours.')
    .min(0, 'Give 0 hours or more.')
    .max(720, 'Give at most 720 hours, which is 30 days.'),
  /** After that, this percentage. */
  lateRefundPercent: z
    .number('Give a whole number from 0 to 100.')
    .int('Give a whole number from 0 to 100.')
    .min(0, 'Give a whole number from 0 to 100.')
    .max(100, 'Give a whole number from 0 to 100.'),
  refundsEnabled: z.boolean(),
});
export type CancellationPolicy = z.output<typeof cancellationPolicy>;

const percentMessage = 'Give a percentage from 0 to 100 with at most one decimal, such as 2.5.';

/** What the platform keeps of the price of a booking. */
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
  name: oneLine().min(1, 'Give the product a name.').max(40, 'Choose a name of at most 40 characters.'),
});
export type Brand = z.output<typeof brand>;

export const contact = z.object({
  /** Where people reach the operator: emails are answered there. Empty for nowhere. */
  email: z
    .union([z.literal(''), z.email('Give an email address, such as hello@club.example.')])
    .transform((address) => address.toLowerCase()),
});
export type Contact = z.output<typeof contact>;

/** One figure of the landing page, "500+" over "active coaches". */
const landingStat = z.object({
  figure: oneLine().min(1, 'Give the figure, such as 500+.').max(12, 'At most 12 characters.'),
  label: oneLine().min(1, 'Say what the figure counts.').max(40, 'At most 40 characters.'),
});

export const landingStats = z.object({
  /** The landing page shows the figures only then; hidden ones are kept. */
  isShown: z.boolean(),
  stats: z.array(landingStat).max(3, 'The landing page has room for 3 figures.'),
});
export type LandingStats = z.output<typeof landingStats>;

/** Whether a payrun takes two admins: one who creates it, and another who downloads its file and marks it as paid. */
export const payrunControl = z.object({ needsSecondAdmin: z.boolean() });
export type PayrunControl = z.output<typeof payrunControl>;

/** Everything an admin sets, as it is in force. */
export const settings = z.object({
  platformFee,
  cancellationPolicy,
  brand,
  contact,
  landingStats,
  payrunControl,
});
export type Settings = z.output<typeof settings>;

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
      /** Where people reach the operator; null where none is set. */
      contactEmail: z.string().nullable(),
      /** True on the demo database: sign-ins and the mailbox page may be pointed out to everybody. */
      isDemo: z.boolean(),
      /** Empty where the operator hides them. */
      landingStats: z.array(z.object({ figure: z.string(), label: z.string() })),
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
    summary: 'Changes the name that the product goes by on every page and in every mail.',
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
