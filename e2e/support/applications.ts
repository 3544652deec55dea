import type { InputOf } from '#domain/endpoint.ts';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { call } from './api.ts';
import type { Person } from './people.ts';

/** A complete application. */
export const completeApplication = {
  headline: 'Tennis coach for beginners',
  bio: 'I coach in small groups, with a lot of rallies.',
  sports: ['tennis'],
  nations: ['england'],
  experience: 'Six years at a club in Leeds; LTA level 3.',
  coachesJuniors: false,
  hasAcceptedTerms: true,
} satisfies InputOf<typeof applicationsApi.saveDraft>;

/** Submits a complete application through the API. */
export async function applyAsCoach(person: Person): Promise<void> {
  await call(person, applicationsApi.saveDraft, completeApplication);
  await call(person, applicationsApi.submit, {});
}
