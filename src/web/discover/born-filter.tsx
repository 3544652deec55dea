import type { Participant } from '#domain/accounts/participants-contract.ts';
import { useParticipants } from '#web/accounts/family/use-participants.ts';
import { ChoiceField } from './choice-field.tsx';
import type { ControlProps } from './discover-search.ts';

/** Names by month of birth ("2016-05"). People born in the same month share an entry. */
function listMonths(participants: Participant[]): Record<string, string> {
  const names: Record<string, string[]> = {};
  for (const { kind, fullName, knownAs, dateOfBirth } of participants) {
    if (!dateOfBirth) continue;
    const month = dateOfBirth.slice(0, 7);
    names[month] = [...(names[month] ?? []), kind === 'self' ? 'Me' : knownAs || fullName];
  }
  return Object.fromEntries(Object.entries(names).map(([month, of]) => [month, of.join(', ')]));
}

/** The names of the participants born in this month, separated by commas; undefined if nobody in the family was. */
export function useBornName(month: string | undefined): string | undefined {
  const { participants } = useParticipants();
  return month && listMonths(participants)[month];
}

/**
 * Filters by the age of somebody the customer books for. Renders nothing without dependants, unless the
 * filter is active.
 */
export function BornFilter({ value, onChange, isLabelHidden }: ControlProps) {
  const { participants } = useParticipants();
  const months = listMonths(participants);
  if (participants.length <= 1 && !value.born) return null;
  return (
    <ChoiceField
      label="For"
      isLabelHidden={isLabelHidden}
      value={value.born}
      all="Anyone"
      // A month from somebody else's link has no name.
      options={value.born && !months[value.born] ? { ...months, [value.born]: 'Someone else' } : months}
      onChoose={(born) => onChange({ born })}
    />
  );
}
