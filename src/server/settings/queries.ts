import { defaultBrand } from '#domain/default-brand.ts';
import {
  brand,
  type CancellationPolicy,
  cancellationPolicy,
  contact,
  landingStats,
  payrunControl,
  platformFee,
  type Settings,
} from '#domain/settings/contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The row of site_settings that holds each setting. */
export const settingKeys = {
  platformFee: 'platform_fee_config',
  cancellationPolicy: 'cancellation_policy',
  brand: 'brand',
  contact: 'contact',
  landingStats: 'landing_stats',
  payrunControl: 'payrun_control',
} as const satisfies Record<keyof Settings, string>;

/** The current cancellation policy. Throws if an operator stored an unreadable value. */
export async function readCancellationPolicy(db: Database | Tx): Promise<CancellationPolicy> {
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('key', '=', settingKeys.cancellationPolicy)
    .executeTakeFirstOrThrow();
  return cancellationPolicy.parse(row.value);
}

/** All settings. A missing or invalid entry falls back to its default. */
export async function readSettings(db: Database | Tx): Promise<Settings> {
  const rows = await db.selectFrom('siteSettings').select(['key', 'value']).execute();
  const values = new Map(rows.map((row) => [row.key, row.value]));
  const stats = values.get(settingKeys.landingStats);
  return {
    platformFee: platformFee.safeParse(values.get(settingKeys.platformFee)).data ?? {
      mode: 'percentage',
      percent: 0,
      enabled: false,
    },
    cancellationPolicy: cancellationPolicy.safeParse(values.get(settingKeys.cancellationPolicy)).data ?? {
      freeUntilHours: 24,
      lateRefundPercent: 0,
      refundsEnabled: true,
    },
    brand: brand.safeParse(values.get(settingKeys.brand)).data ?? { name: defaultBrand },
    contact: contact.safeParse(values.get(settingKeys.contact)).data ?? { email: '' },
    // A bare list, as in a fresh database, is one that is shown.
    landingStats: landingStats.safeParse(Array.isArray(stats) ? { isShown: true, stats } : stats).data ?? {
      isShown: false,
      stats: [],
    },
    payrunControl: payrunControl.safeParse(values.get(settingKeys.payrunControl)).data ?? {
      needsSecondAdmin: false,
    },
  };
}

/** The product's name, for emails. */
export async function readBrand(db: Database | Tx): Promise<string> {
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('key', '=', 'brand')
    .executeTakeFirst();
  const { name } = (row?.value ?? {}) as { name?: unknown };
  return typeof name === 'string' && name ? name : defaultBrand;
}
