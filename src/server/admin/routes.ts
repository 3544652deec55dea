import { adminCareApi } from '#domain/admin/care-contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { exportsApi } from '#domain/admin/exports-contract.ts';
import { adminHomeApi } from '#domain/admin/home-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { csvRoute, type Route, route } from '#server/platform/http/http.ts';
import { changeRole } from './change-role.ts';
import { changePayrunControl, changePlatformFee, changeRefundControl } from './change-settings.ts';
import { endSessionsOf } from './end-sessions-of.ts';
import { exportAudit } from './export-audit.ts';
import { createExporter } from './exports/export-records.ts';
import { listAudit } from './list-audit.ts';
import { listUsers } from './list-users.ts';
import { openCare } from './open-care.ts';
import { readAdminHome } from './read-admin-home.ts';
import { readOverview } from './read-overview.ts';

/**
 * The endpoints for admins: people, their roles, sessions and care details, the audit log, exports, the home
 * page, the overview, and the settings whose changes notify people.
 */
export function adminRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys'> }): Route[] {
  const { db } = parts;
  const exportRecords = createExporter(db);
  return [
    route(adminApi.listUsers, (input) => listUsers(db, input)),
    route(adminApi.endSessionsOf, async ({ userId }, admin) => ({
      ended: await endSessionsOf(db, admin, userId),
    })),
    route(adminApi.listAudit, (input) => listAudit(db, input)),
    route(adminApi.exportAudit, (filter, admin) => exportAudit(db, admin, filter)),
    csvRoute(exportsApi.exportRecords, (input, admin) => exportRecords(admin, input)),
    route(adminApi.changeRole, async (input, admin) => ({
      user: await changeRole(db, admin, input),
    })),
    route(adminCareApi.open, (input, admin) => openCare(parts, admin, input)),
    route(adminApi.getOverview, () => readOverview(db)),
    route(adminHomeApi.getAdminHome, (_, admin) => readAdminHome(db, admin)),
    route(settingsApi.updatePlatformFee, (fee, admin) => changePlatformFee(db, admin, fee)),
    route(settingsApi.updateRefundControl, (control, admin) => changeRefundControl(db, admin, control)),
    route(settingsApi.updatePayrunControl, (control, admin) => changePayrunControl(db, admin, control)),
  ];
}
