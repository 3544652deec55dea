import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { changeVerificationPolicy, previewPolicy } from '../verification-policy.ts';
import { acceptDocument, declineDocument } from './decide-document.ts';
import { listCoachChecks, listWaitingDocuments } from './list-checks.ts';
import { openDocument } from './open-document.ts';
import { listBadges } from './read-badges.ts';
import { readTrustFile } from './read-trust-file.ts';
import { recordCheck, recordStatusCheck } from './record-check.ts';
import { submitDocument, withdrawDocument } from './submit-document.ts';
import { listUncoveredLessons } from './uncovered-lessons.ts';
import { giveConsent, withdrawConsent } from './update-service-consent.ts';

/** Endpoints for checks and documents. */
export function documentRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys'> }): Route[] {
  const { db, config } = parts;
  return [
    route(documentsApi.getMine, async (_, { userId }) => ({
      trustFile: await readTrustFile(db, config, userId),
    })),
    route(documentsApi.submit, async (input, coach) => ({
      trustFile: await submitDocument(parts, coach, input),
    })),
    route(documentsApi.withdraw, async ({ documentId }, coach) => ({
      trustFile: await withdrawDocument(parts, coach, documentId),
    })),
    route(documentsApi.giveConsent, async ({ textVersion }, coach) => ({
      trustFile: await giveConsent(parts, coach, textVersion),
    })),
    route(documentsApi.withdrawConsent, async (_, coach) => ({
      trustFile: await withdrawConsent(parts, coach),
    })),
    route(documentsApi.listUncovered, async (_, { userId }) => ({
      lessons: await listUncoveredLessons(db, userId),
    })),
    route(documentsApi.listBadges, async ({ coachId }) => ({ badges: await listBadges(db, coachId) })),
    route(checksApi.listWaiting, (input) => listWaitingDocuments(parts, input)),
    route(checksApi.listCoaches, (input) => listCoachChecks(parts, input)),
    route(checksApi.getCoach, async ({ coachId }) => ({
      trustFile: await readTrustFile(db, config, coachId),
    })),
    route(checksApi.open, ({ documentId }, admin) => openDocument(db, admin, documentId)),
    route(checksApi.accept, async (input, admin) => ({
      trustFile: await acceptDocument(parts, admin, input),
    })),
    route(checksApi.decline, async (input, admin) => ({
      trustFile: await declineDocument(parts, admin, input),
    })),
    route(checksApi.recordCheck, async (input, admin) => ({
      trustFile: await recordCheck(parts, admin, input),
    })),
    route(checksApi.recordStatusCheck, async (input, admin) => ({
      trustFile: await recordStatusCheck(parts, admin, input),
    })),
    route(checksApi.previewPolicy, (input) => previewPolicy(db, input)),
    route(checksApi.updatePolicy, (input, admin) => changeVerificationPolicy(db, admin, input)),
  ];
}
