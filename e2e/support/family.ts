import type { Page } from '@playwright/test';
import type { Care } from '#domain/accounts/care.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call } from './api.ts';
import type { Lesson } from './club.ts';
import { linkIn, readEmail } from './emails.ts';
import { expect } from './fixtures.ts';
import type { Person } from './people.ts';

export const noNotes = {
  medical: 'None',
  allergies: 'None',
  medication: 'None',
  access: 'None',
  learning: 'None',
};

export const plainCare: Care = {
  notes: noNotes,
  contacts: [{ name: 'Gill Guardian', telephone: '0113 496 0000', relation: 'Mother' }],
  collection: { mayLeaveAlone: false, collectors: ['Sam Sitter'], password: null },
};

/** The date of birth of someone who turned this age about three months ago. */
export function bornYearsAgo(age: number): string {
  const date = addDays(wallTimeOf(Date.now()).date, -100);
  const day = date.slice(5) === '02-29' ? '02-28' : date.slice(5);
  return `${Number(date.slice(0, 4)) - age}-${day}`;
}

type Given = { fullName?: string; knownAs?: string; dateOfBirth?: string; care?: Partial<Care> | null };

/** Adds a child through the API, with care details unless they are null; returns the child's id. */
export async function addChild(
  guardian: Someone,
  { fullName = 'Mia Guardian', knownAs = '', dateOfBirth = bornYearsAgo(10), care = {} }: Given = {},
): Promise<string> {
  const { participant } = await call(guardian, participantsApi.add, {
    ...{ fullName, knownAs, dateOfBirth },
    ...{ relation: 'parent', isAdult: true },
  });
  const { participantId } = participant;
  if (care) {
    const medicalConsent = consentTexts.medical.version;
    await call(guardian, careApi.saveCare, { participantId, ...plainCare, ...care, medicalConsent });
  }
  return participantId;
}

/** Books a lesson for a participant through the API; returns the booking's id. */
export async function bookFor(
  guardian: Someone,
  participantId: string,
  { slotId, priceCents }: Pick<Lesson, 'slotId' | 'priceCents'>,
): Promise<string> {
  const answer = await call(guardian, bookingsApi.book, {
    ...{ slotId, participantId },
    baseAmountCents: priceCents,
  });
  expect(answer.outcome).toBe('booked');
  return answer.bookingId;
}

/** Invites a person to be a guardian through the API; returns the emailed link. */
export async function inviteGuardian(
  guardian: Someone,
  other: Person,
  participantId: string,
): Promise<string> {
  await call(guardian, guardiansApi.invite, { participantId, email: other.email });
  return linkIn(await readEmail(other.email, /invites you/i));
}

/** A section of a page by its heading. */
export const sectionOf = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) });
