import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { registerApi } from '#domain/bookings/register-contract.ts';
import type { AppError } from '#domain/errors.ts';
import { callApi, keyOf } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { keepPageOffline } from './offline-page.ts';
import { deleteCopy, findCopy, type Register, saveCopy } from './register-copies.ts';

/** The longest possible delay of a browser's timer, in ms. */
const longestWait = 2 ** 31 - 1;

/**
 * The register of a lesson: from the server or, until the server responds and while it can't be reached, the
 * copy on this device. Families see each request as an opening of the register, so it is fetched only once per visit,
 * and again when the coach asks for it. It leaves the cache when the screen closes.
 */
export function useRegister(slotId: string) {
  const { user, profile, isCoach, loading } = useAuth();
  const userId = user?.id;
  const query = useQuery<Register, AppError>({
    queryKey: keyOf(registerApi.open, { slotId }),
    queryFn: ({ signal }) => callApi(registerApi.open, { slotId }, signal),
    enabled: isCoach,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const { data, error } = query;
  const isRefused = error !== null && error.code !== 'unavailable';
  const isDenied = profile !== null && !isCoach;
  useEffect(() => {
    if (!data || !userId) return;
    if (saveCopy(data, userId, Date.now())) {
      keepPageOffline().catch((failure) => console.error("The register's page can't be cached", failure));
    }
  }, [data, userId]);
  useEffect(() => {
    if (isRefused || isDenied) deleteCopy(slotId);
  }, [slotId, isRefused, isDenied]);
  const copy = data || isRefused || isDenied ? null : findCopy(slotId, Date.now());
  const register = data ?? copy?.register;
  const isOver = useIsOver(register?.visibleUntil);
  useEffect(() => {
    if (isOver) deleteCopy(slotId);
  }, [slotId, isOver]);
  return { query, copy, register, isOver, isReading: loading || query.isFetching };
}

/** True once a register must no longer be shown. */
function useIsOver(visibleUntil: string | undefined): boolean {
  const until = visibleUntil ? Date.parse(visibleUntil) : Number.POSITIVE_INFINITY;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const wait = until - Date.now();
    if (wait > longestWait) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, wait + 1));
    return () => clearTimeout(timer);
  }, [until]);
  return now > until;
}
