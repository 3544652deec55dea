import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { CoachChoice } from '#domain/businesses/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import type { ControlProps } from './discover-search.ts';

// The contract imports the validation library, so it is fetched after the first paint.
const loadApi = async () => (await import('#domain/businesses/contract.ts')).businessesApi;
const staleTime = 60_000;

/** The name of the coach with this id; undefined until it is loaded. */
export function useCoachName(coachId: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['get_coach', { coachId }],
    queryFn: async ({ signal }) => callApi((await loadApi()).getCoach, { coachId: coachId! }, signal),
    enabled: Boolean(coachId),
    staleTime,
  });
  return coachId ? data?.coach.fullName : undefined;
}

function useCoaches(search: string) {
  return useQuery({
    queryKey: ['search_coaches', { search }],
    queryFn: async ({ signal }): Promise<CoachChoice[]> =>
      (await callApi((await loadApi()).searchCoaches, { search }, signal)).coaches,
    enabled: search.length >= 2,
    staleTime,
    placeholderData: keepPreviousData,
  });
}

/** Filters by coach: the customer types part of a name and picks a coach. */
export function CoachFilter({ value, onChange, isLabelHidden }: ControlProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const search = useDeferredValue(typed?.trim() ?? '');
  const name = useCoachName(value.coachId) ?? '';
  const found = useCoaches(search);
  const isSearching = typed !== null && typed.trim().length >= 2;
  const options = isSearching ? (found.data ?? []) : [];
  const message = !isSearching
    ? typed === null
      ? null
      : 'Enter at least 2 letters of the name.'
    : found.isError
      ? "We couldn't search for coaches. Try again in a moment."
      : found.isPending
        ? 'Searching...'
        : options.length === 0
          ? 'No coaches match this name.'
          : null;
  return (
    <FormField label="Coach" isLabelHidden={isLabelHidden}>
      <Combobox
        typed={typed ?? name}
        maxLength={60}
        placeholder={isLabelHidden ? 'Coach' : 'Any'}
        options={options.map(({ coachId, fullName, towns }) => ({
          ...{ value: coachId, label: fullName },
          ...(towns.length > 0 && { hint: towns.join(', ') }),
        }))}
        message={message}
        onTyped={(next) => {
          setTyped(next);
          if (next === '' && value.coachId) onChange({ coachId: undefined });
        }}
        onChoose={({ value: coachId, label: fullName }) => {
          setTyped(null);
          // Cached in advance, so that the field is not empty until the name loads.
          client.setQueryData(['get_coach', { coachId }], { coach: { coachId, fullName, towns: [] } });
          onChange({ coachId });
        }}
        onLeave={() => setTyped(null)}
      />
    </FormField>
  );
}
