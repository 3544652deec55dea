import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { decideApplication, readSubmitted } from './applications/decide-application.ts';
import { listApplications } from './applications/list-applications.ts';
import {
  getOwnApplication,
  saveDraft,
  submitApplication,
  withdrawApplication,
} from './applications/own-application.ts';

/** The endpoints of applications for the coach role, for applicants and admins. */
export function verificationRoutes({ db }: { db: Database }): Route[] {
  return [
    route(applicationsApi.getOwn, (_, { userId }) => getOwnApplication(db, userId)),
    route(applicationsApi.saveDraft, (input, person) => saveDraft(db, person, input)),
    route(applicationsApi.submit, (_, person) => submitApplication(db, person)),
    route(applicationsApi.withdraw, (_, person) => withdrawApplication(db, person)),
    route(applicationQueueApi.list, (input) => listApplications(db, input)),
    route(applicationQueueApi.get, async ({ applicationId }) => ({
      application: await readSubmitted(db, applicationId),
    })),
    route(applicationQueueApi.decide, async (input, admin) => ({
      application: await decideApplication(db, admin, input),
    })),
  ];
}
