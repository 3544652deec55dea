import { settingsApi } from '#domain/settings/contract.ts';
import { siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { readProduct, readSetting, readSettings } from './queries.ts';
import { listSiteTexts, saveSiteText } from './site-texts.ts';
import { updateSetting } from './update-setting.ts';

/**
 * The endpoints that read settings and, for admins, change them. The endpoints that change the fee and the controls are
 * in `admin`; those that change the verification policy are in `verification`.
 */
export function settingsRoutes({ db, config }: { db: Database; config: Pick<Config, 'isDemo'> }): Route[] {
  return [
    route(settingsApi.getCancellationPolicy, () => readSetting(db, 'cancellationPolicy')),
    route(settingsApi.getPlatformFee, () => readSetting(db, 'platformFee')),
    route(settingsApi.getProduct, async () => ({ ...(await readProduct(db)), isDemo: config.isDemo })),
    route(settingsApi.getSettings, () => readSettings(db)),
    route(settingsApi.updateCancellationPolicy, (policy, admin) =>
      updateSetting(db, admin, 'cancellationPolicy', policy),
    ),
    route(settingsApi.updateBrand, (brand, admin) => updateSetting(db, admin, 'brand', brand)),
    route(settingsApi.updateContact, (contact, admin) => updateSetting(db, admin, 'contact', contact)),
    route(siteTextsApi.list, async () => ({ texts: await listSiteTexts(db) })),
    route(siteTextsApi.save, async (input, admin) => ({ texts: await saveSiteText(db, admin, input) })),
    route(settingsApi.updateCoachJoining, (joining, admin) =>
      updateSetting(db, admin, 'coachJoining', joining),
    ),
    route(settingsApi.updateLandingStats, (stats, admin) => updateSetting(db, admin, 'landingStats', stats)),
  ];
}
