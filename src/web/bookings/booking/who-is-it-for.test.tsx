import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { WhoIsItFor } from './who-is-it-for.tsx';

const family = Array.from({ length: 7 }, (_, index) => ({
  participantId: `person ${index}`,
  kind: index === 0 ? 'self' : 'dependant',
  fullName: `Child ${index}`,
  dateOfBirth: null,
})) as Participant[];

/** The text shown to someone who has chosen everyone but the last person. */
function chooseAllButOne(participants: Participant[], seats: { maxCapacity: number; bookedCount: number }) {
  const chosenIds = participants.slice(0, -1).map(({ participantId }) => participantId);
  const slot = { ...seats, minAge: null, maxAge: null } as OpenSlot;
  const props = { slot, participants, chosenIds, held: [], error: undefined, isBusy: false };
  return renderToStaticMarkup(<WhoIsItFor {...props} onChoose={() => {}} />);
}

test('states whether the lesson or the payment has no more places', () => {
  const limit = 'One payment can book up to 6 places.';
  const roomy = chooseAllButOne(family, { maxCapacity: 8, bookedCount: 1 });
  expect(roomy).toContain(limit);
  expect(roomy).not.toContain('No places left');
  const full = chooseAllButOne(family.slice(0, 3), { maxCapacity: 4, bookedCount: 2 });
  expect(full).toContain('No places left');
  expect(full).not.toContain(limit);
  // Both limits are reached: a second payment would not help.
  expect(chooseAllButOne(family, { maxCapacity: 6, bookedCount: 0 })).toContain('No places left');
});
