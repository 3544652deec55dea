import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Care } from '#domain/accounts/care.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import type { Someone } from './contract-client.test-support.ts';
import { eventually, type TestApp } from './test-app.test-support.ts';

/** Care details in which every note says "None". */
export const plainCare: Care = {
  notes: { medical: 'None', allergies: 'None', medication: 'None', access: 'None', learning: 'None' },
  contacts: [{ name: 'Alex Morgan', telephone: '0113 496 0000', relation: 'Mother' }],
  collection: { mayLeaveAlone: false, collectors: ['Sam Morgan'], password: null },
};

/** The date of birth of someone who turned this age this many days ago, in London. */
export function bornYearsAgo(age: number, days = 100): string {
  const date = addDays(wallTimeOf(Date.now()).date, -days);
  const year = Number(date.slice(0, 4)) - age;
  // There may be no 29 February in that year.
  return `${year}${date.slice(4) === '-02-29' ? '-02-28' : date.slice(4)}`;
}

/** A family's calls to the API. */
export function openFamily(app: TestApp) {
  // The app gets its functions only just before the first test.
  const call: TestApp['call'] = (...given) => app.call(...given);

  /** Adds a child of ten without care details; returns the child's id. */
  async function addChild(
    guardian: Someone,
    given: { fullName?: string; knownAs?: string; dateOfBirth?: string } = {},
  ): Promise<string> {
    const { status, body, error } = await call(guardian, participantsApi.add, {
      ...{ fullName: 'Mia Morgan', dateOfBirth: bornYearsAgo(10), relation: 'parent', isAdult: true },
      ...given,
    });
    expect(error?.message).toBeUndefined();
    expect(status).toBe(200);
    return body.participant.participantId;
  }

  /** Saves care details, with consent to keep the notes. */
  async function saveCare(guardian: Someone, participantId: string, care: Care = plainCare): Promise<void> {
    const medicalConsent = consentTexts.medical.version;
    const { error } = await call(guardian, careApi.saveCare, { participantId, ...care, medicalConsent });
    expect(error?.message).toBeUndefined();
  }

  /** Adds a child whose care details are up to date, so that lessons can be booked. */
  async function addReadyChild(
    guardian: Someone,
    given: Parameters<typeof addChild>[1] = {},
  ): Promise<string> {
    const participantId = await addChild(guardian, given);
    await saveCare(guardian, participantId);
    return participantId;
  }

  const bookFor = (guardian: Someone, slotId: string, participantId: string, baseAmountCents = 5000) =>
    call(guardian, bookingsApi.book, { slotId, baseAmountCents, participantId });

  /** Invites a person and accepts as that person, which makes them another guardian. */
  async function shareWith(guardian: Someone, other: Someone, participantId: string): Promise<void> {
    const token = await invite(guardian, other.email, participantId);
    const accepted = await call(other, guardiansApi.accept, { token, relation: 'parent', isAdult: true });
    expect(accepted.error?.message).toBeUndefined();
  }

  /** Invites the owner of an address; returns the token from the emailed link. */
  async function invite(guardian: Someone, email: string, participantId: string): Promise<string> {
    const before = (await app.emailsTo(email)).length;
    const { error } = await call(guardian, guardiansApi.invite, { participantId, email });
    expect(error?.message).toBeUndefined();
    const message = await eventually(async () =>
      (await app.emailsTo(email)).slice(before).find(({ text }) => text.includes('/guardian-invitation?')),
    );
    return /guardian-invitation\?token=([\w-]+)/.exec(message.text)![1]!;
  }

  return { addChild, saveCare, addReadyChild, bookFor, shareWith, invite };
}

/** A text that occurs nowhere else. */
export const newMarker = (): string => `marker${randomUUID().slice(0, 8)}`;
