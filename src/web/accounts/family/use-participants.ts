import { useQuery } from '@tanstack/react-query';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';

/**
 * The signed-in person and the dependants they book for; empty for visitors. The contract is loaded on demand: it
 * imports the validation library, which a server-rendered list does not need.
 */
export function useParticipants() {
  const { user } = useAuth();
  const { data, isPending, isError } = useQuery({
    // The endpoint's key, written out because its contract is loaded only when the query runs.
    queryKey: ['list_participants', {}],
    queryFn: async ({ signal }): Promise<{ participants: Participant[] }> =>
      callApi((await import('#domain/accounts/participants-contract.ts')).participantsApi.list, {}, signal),
    enabled: user !== null,
  });
  return { participants: data?.participants ?? [], isPending: user !== null && isPending, isError };
}
