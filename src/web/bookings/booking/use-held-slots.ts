import { useQuery } from '@tanstack/react-query';
import type { HeldSlot } from '#domain/bookings/contract.ts';
import { callApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';

/**
 * The upcoming lessons in which the customer or a dependant has booked or holds a seat, by slot id: one entry for each
 * participant. `isPending` is true until they have loaded. Empty without the customer role and after a failed request;
 * the server refuses a second booking of a lesson anyway.
 */
export function useHeldSlots(): { bySlot: Map<string, HeldSlot[]>; isPending: boolean } {
  const { isCustomer } = useAuth();
  const { data, isPending } = useQuery({
    // The endpoint's key, written out because its contract is fetched only after the first paint.
    queryKey: ['list_held_slots', {}],
    queryFn: async ({ signal }) =>
      callApi((await import('#domain/bookings/contract.ts')).bookingsApi.listHeldSlots, {}, signal),
    enabled: isCustomer,
  });
  const bySlot = new Map<string, HeldSlot[]>();
  for (const held of data?.bookings ?? [])
    bySlot.set(held.slotId, [...(bySlot.get(held.slotId) ?? []), held]);
  return { bySlot, isPending: isCustomer && isPending };
}
