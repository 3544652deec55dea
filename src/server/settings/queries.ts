import { sql } from 'kysely';
import type { OutputOf } from '#domain/endpoint.ts';
import { defaultSettings, type Settings, settings, type settingsApi } from '#domain/settings/contract.ts';
import { shownStats } from '#domain/settings/landing-stats.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The key of each setting's row in site_settings. */
export const settingKeys = {
  platformFee: 'platform_fee_config',
  cancellationPolicy: 'cancellation_policy',
  brand: 'brand',
  contact: 'contact',
  landingStats: 'landing_stats',
  payrunControl: 'payrun_control',
  refundControl: 'refund_control',
  coachJoining: 'coach_joining',
  verificationPolicy: 'verification_policy',
} as const satisfies Record<keyof Settings, string>;

type Name = keyof Settings;

/**
 * Parses a setting from its row's value. A missing field takes its default, so that a field can be added without
 * changing saved values. If the value is missing or a field is invalid, the whole setting is the default.
 */
export function parseSetting<N extends Name>(name: N, stored: unknown): Settings[N] {
  const defaults = defaultSettings[name];
  const value = typeof stored === 'object' ? { ...defaults, ...stored } : stored;
  return (settings.shape[name].safeParse(value).data ?? defaults) as Settings[N];
}

/** SQL for a setting's stored value, for {@link parseSetting}. */
export const storedSetting = (name: Name) =>
  sql<unknown>`(select value from site_settings where key = ${sql.lit(settingKeys[name])})`;

/** Reads a setting, with defaults if it is missing or invalid. */
export async function readSetting<N extends Name>(db: Database | Tx, name: N): Promise<Settings[N]> {
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('key', '=', settingKeys[name])
    .executeTakeFirst();
  return parseSetting(name, row?.value);
}

/** Reads all settings, with defaults for missing or invalid settings. */
export async function readSettings(db: Database | Tx): Promise<Settings> {
  const rows = await db.selectFrom('siteSettings').select(['key', 'value']).execute();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  const names = Object.keys(settings.shape) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, parseSetting(name, stored.get(settingKeys[name]))]),
  ) as Settings;
}

/** The product's name, which the operator can change. */
export const readBrand = async (db: Database | Tx): Promise<string> => (await readSetting(db, 'brand')).name;

export type Product = Omit<OutputOf<typeof settingsApi.getProduct>, 'isDemo'>;

/** The settings that any page or email may show. */
export const productOf = ({ brand, contact, landingStats }: Settings): Product => ({
  brand: brand.name,
  contactEmail: contact.email || null,
  landingStats: shownStats(landingStats),
});

/** Reads the settings that any page or email may show. */
export const readProduct = async (db: Database | Tx): Promise<Product> => productOf(await readSettings(db));
