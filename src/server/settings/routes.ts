import { z } from 'zod';
import { settingsApi } from '#domain/settings/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { readCancellationPolicy } from './queries.ts';

const brandSetting = z.object({ name: z.string().min(1) });
const landingStatsSetting = settingsApi.getProduct.output.shape.landingStats;

/** Reads what every page may know from site_settings; an entry an operator removed or broke hides its part. */
export function settingsRoutes({ db, config }: { db: Database; config: Pick<Config, 'isDemo'> }): Route[] {
  return [
    route(settingsApi.getCancellationPolicy, () => readCancellationPolicy(db)),
    route(settingsApi.getProduct, async () => {
      const rows = await db
        .selectFrom('siteSettings')
        .select(['key', 'value'])
        .where('key', 'in', ['brand', 'landing_stats'])
        .execute();
      const settings = new Map(rows.map((row) => [row.key, row.value]));
      return {
        brand: brandSetting.safeParse(settings.get('brand')).data?.name ?? 'Touchline',
        isDemo: config.isDemo,
        landingStats: landingStatsSetting.safeParse(settings.get('landing_stats')).data ?? [],
      };
    }),
  ];
}
