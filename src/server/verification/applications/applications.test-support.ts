import { expect } from 'vitest';
import type { ApplicationDraft, OwnApplication } from '#domain/verification/application.ts';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';

/** A complete application. */
export const completeApplication: ApplicationDraft = {
  headline: 'Tennis coach for beginners',
  bio: 'I coach in small groups.',
  sports: ['tennis'],
  nations: ['england'],
  experience: 'Six years at a club.',
  coachesJuniors: true,
  hasAcceptedTerms: true,
};

/** Saves and submits a complete application. */
export async function submitCompleteApplication(app: TestApp, who: Someone): Promise<OwnApplication> {
  expect((await app.call(who, applicationsApi.saveDraft, completeApplication)).status).toBe(200);
  const { status, body } = await app.call(who, applicationsApi.submit, {});
  expect(status).toBe(200);
  return body.application;
}
