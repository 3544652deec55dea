import { z } from 'zod';
import { defaultBrand } from '../default-brand.ts';
import { endpoint } from '../endpoint.ts';
import { oneLine } from '../text.ts';
import { landingStats, landingStatsInput } from './landing-stats.ts';
import { defaultVerificationPolicy, verificationPolicy } from './verification-policy.ts';

export const cancellationPolicy = z
  .object({
    freeUntilHours: z
      .number('Enter a whole number of hours.')
      .int('Enter a whole number of hours.')
      .min(0, 'Enter 0 hours or more.')
      .max(720, 'Enter at most 720 hours (30 days).')
      .describe('Full refund until this many hours before the start.'),
    lateRefundPercent: z
      .number('Enter a whole number from 0 to 100.')
      .int('Enter a whole number from 0 to 100.')
      .min(0, 'Enter a whole number from 0 to 100.')
      .max(100, 'Enter a whole number from 0 to 100.')
      .describe('The percentage refunded after the deadline for a full refund.'),
    refundsEnabled: z.boolean(),
  })
  .meta({ id: 'CancellationPolicy', description: 'The refund terms for customers who cancel.' });
export type CancellationPolicy = z.output<typeof cancellationPolicy>;

const percentMessage = 'Enter a percentage from 0 to 100 with at most one decimal place, such as 2.5.';

export const platformFee = z
  .object({
    mode: z.literal('percentage'),
    percent: z
      .number(percentMessage)
      .min(0, percentMessage)
      .max(100, percentMessage)
      .refine((percent) => Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-9, percentMessage),
    enabled: z.boolean(),
  })
  .meta({ id: 'PlatformFee', description: "The platform's share of a booking's price." });
export type PlatformFee = z.output<typeof platformFee>;

export const brand = z.object({
  name: oneLine()
    .min(1, 'Enter a name for the product.')
    .max(40, 'Choose a name of at most 40 characters.')
    .meta({ examples: ['Example Sports'] }),
});
export type Brand = z.output<typeof brand>;

export const contact = z.object({
  email: z
    .union([z.literal(''), z.email('Enter an email address, such as hello@club.example.')])
    .transform((address) => address.toLowerCase())
    .meta({ examples: ['hello@club.example'] })
    .describe("The operator's contact address, also the reply-to address of emails. Empty for none."),
});
export type Contact = z.output<typeof contact>;

export const payrunControl = z.object({ needsSecondAdmin: z.boolean() }).meta({
  id: 'PayrunControl',
  description:
    'Whether a payrun needs two admins: one creates it, another downloads its file and marks it as paid.',
});
export type PayrunControl = z.output<typeof payrunControl>;

const limitMessage = 'Enter an amount from £0 to £10,000.';

export const refundControl = z
  .object({
    secondAdminAboveCents: z
      .number(limitMessage)
      .int(limitMessage)
      .min(0, limitMessage)
      .max(1_000_000, limitMessage)
      .nullable()
      .describe(
        'How much one admin alone can refund of a booking, in minor units (pence); null for any amount.',
      ),
  })
  .meta({
    id: 'RefundControl',
    description: 'When a refund that an admin makes at the bookings desk needs a second admin.',
  });
export type RefundControl = z.output<typeof refundControl>;

export const coachJoining = z
  .object({
    joining: z
      .enum(['applications', 'at_once'], 'Choose how coaches join.')
      .describe(
        "`at_once`: anyone who submits a complete application becomes a coach without an admin's decision.",
      ),
  })
  .meta({ id: 'CoachJoining', description: 'How people become coaches.' });
export type CoachJoining = z.output<typeof coachJoining>;

/**
 * All settings that admins can change, by name. A new setting needs a schema, a default below and an endpoint. A new
 * field of a setting needs a schema and a default, which applies if a club has saved the setting without that field.
 */
export const settings = z
  .object({
    platformFee,
    cancellationPolicy,
    brand,
    contact,
    landingStats,
    payrunControl,
    refundControl,
    coachJoining,
    verificationPolicy,
  })
  .meta({ id: 'Settings', description: 'All settings that admins can change, by name.' });
export type Settings = z.output<typeof settings>;

/** The defaults for fields that no admin has saved yet, and for a whole setting whose stored value is invalid. */
export const defaultSettings: Settings = {
  platformFee: { mode: 'percentage', percent: 2, enabled: true },
  cancellationPolicy: { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true },
  brand: { name: defaultBrand },
  contact: { email: '' },
  landingStats: { mode: 'hidden', stats: [] },
  payrunControl: { needsSecondAdmin: false },
  refundControl: { secondAdminAboveCents: null },
  coachJoining: { joining: 'applications' },
  verificationPolicy: defaultVerificationPolicy,
};

export const settingsApi = {
  getCancellationPolicy: endpoint({
    method: 'GET',
    path: '/api/cancellation-policy',
    operationId: 'get_cancellation_policy',
    gate: 'public',
    summary: 'Get the cancellation policy',
    description: 'The cancellation terms of lessons booked now.',
    input: z.object({}),
    output: cancellationPolicy,
  }),
  getPlatformFee: endpoint({
    method: 'GET',
    path: '/api/platform-fee',
    operationId: 'get_platform_fee',
    gate: 'coach',
    summary: 'Get the platform fee',
    description: "The platform's share of the price of lessons booked now.",
    input: z.object({}),
    output: platformFee,
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/api/product',
    operationId: 'get_product',
    gate: 'public',
    summary: 'Get the data for every page',
    description: 'The name of the product, the contact address and the figures on the landing page.',
    input: z.object({}),
    output: z.object({
      brand: z.string().meta({ examples: ['Example Sports'] }),
      contactEmail: z
        .string()
        .meta({ examples: ['hello@club.example'] })
        .nullable()
        .describe("The operator's contact address; null if not set."),
      isDemo: z
        .boolean()
        .describe('True on the demo database: everyone may see the demo sign-ins and the mailbox page.'),
      landingStats: landingStats.shape.stats.describe(
        'The figures that the operator entered. Empty if the landing page shows none, or figures that the product counts itself.',
      ),
    }),
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/api/admin/settings',
    operationId: 'get_settings',
    gate: 'admin',
    summary: 'Get all settings',
    description:
      'All settings: platform fee, cancellation policy, brand, contact address, figures on the landing page, when payruns and refunds need two admins, how coaches join, and which checks and documents they need.',
    input: z.object({}),
    output: settings,
  }),
  updatePlatformFee: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/platform-fee',
    operationId: 'update_platform_fee',
    gate: 'admin',
    summary: 'Change the platform fee',
    description: 'Changes the fee for bookings made from now on; earlier bookings keep theirs.',
    reauthenticate: true,
    input: platformFee,
    output: settings,
  }),
  updateCancellationPolicy: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/cancellation-policy',
    operationId: 'update_cancellation_policy',
    gate: 'admin',
    summary: 'Change the cancellation policy',
    description: 'Changes the terms for bookings made from now on; earlier bookings keep theirs.',
    reauthenticate: true,
    input: cancellationPolicy,
    output: settings,
  }),
  updateBrand: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/brand',
    operationId: 'update_brand',
    gate: 'admin',
    summary: 'Change the brand',
    description: 'Changes the name of the product on every page and in every email.',
    reauthenticate: true,
    input: brand,
    output: settings,
  }),
  updateContact: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/contact',
    operationId: 'update_contact',
    gate: 'admin',
    summary: 'Change the contact address',
    description: 'Changes the contact address, which is also the reply-to address of emails.',
    reauthenticate: true,
    input: contact,
    output: settings,
  }),
  updateLandingStats: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/landing-stats',
    operationId: 'update_landing_stats',
    gate: 'admin',
    summary: 'Change the figures on the landing page',
    description:
      'Changes the figures on the landing page: hidden, as typed, or counted. Refuses to show typed figures about reviews.',
    reauthenticate: true,
    input: landingStatsInput,
    output: settings,
  }),
  updatePayrunControl: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/payrun-control',
    operationId: 'update_payrun_control',
    gate: 'admin',
    summary: 'Change how many admins a payrun needs',
    description:
      'Sets whether payruns created from now on need two admins; switching this on requires two admins. The other admins are emailed.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: payrunControl,
    output: settings,
  }),
  updateRefundControl: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/refund-control',
    operationId: 'update_refund_control',
    gate: 'admin',
    summary: 'Change when refunds need a second admin',
    description:
      'Sets how much one admin alone can refund of a booking at the bookings desk; a limit requires two admins. The other admins are emailed.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: refundControl,
    output: settings,
  }),
  updateCoachJoining: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/coach-joining',
    operationId: 'update_coach_joining',
    gate: 'admin',
    summary: 'Change how people become coaches',
    description:
      'Sets whether admins decide on applications submitted from now on. Applications that are already waiting still need an admin.',
    reauthenticate: true,
    input: coachJoining,
    output: settings,
  }),
};
