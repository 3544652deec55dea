import { type CareNotes, isNone, noteNames } from '#domain/accounts/care.ts';
import { nicknameOf } from '#domain/accounts/participants.ts';
import type { RegisterEntry } from '#domain/bookings/register-contract.ts';

/** How photos and videos of a person may be used. */
const photoLabels: Record<string, { label: string; isAllowed: boolean }> = {
  none: { label: 'No photos', isAllowed: false },
  coaching: { label: 'Photos for coaching only', isAllowed: true },
  club: { label: "Photos, also on the club's channels", isAllowed: true },
};

export const describePhotos = (photos: string) => photoLabels[photos] ?? photoLabels.none!;

/** Describes the answer about first aid; null means that the family was never asked or has not answered. */
export function describeFirstAid({ firstAid }: Pick<RegisterEntry, 'firstAid'>): string {
  if (firstAid === null) return 'First aid: not answered';
  return firstAid === 'yes' ? 'First aid: yes' : 'First aid: no';
}

/** The name, with the name that coaches use: “Mia Morgan (Mimi)”. */
export function nameWithKnownAs(person: { fullName: string; knownAs: string | null }): string {
  const nickname = nicknameOf(person);
  return nickname ? `${person.fullName} (${nickname})` : person.fullName;
}

/** The notes that say something, and the names of those that say "None". */
export function sortNotes(notes: CareNotes): { given: [string, string][]; none: string[] } {
  const named = Object.entries(noteNames).map(
    ([name, label]) => [label, notes[name as keyof CareNotes]] as [string, string],
  );
  return {
    given: named.filter(([, text]) => !isNone(text)),
    none: named.filter(([, text]) => isNone(text)).map(([label]) => label.toLowerCase()),
  };
}

type Collection = NonNullable<NonNullable<RegisterEntry['care']>['collection']>;

/**
 * Describes whether a dependant may leave alone and who may collect them: "May leave alone, or with Ann or
 * Ben".
 */
export function describeCollection({ mayLeaveAlone, collectors }: Collection): string {
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(collectors);
  if (mayLeaveAlone) return names ? `May leave alone, or with ${names}` : 'May leave alone';
  return `Collected by ${names}`;
}
