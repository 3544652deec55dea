import { useEffect } from 'react';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';
import { useAuth } from './auth-provider.tsx';
import { arrival } from './session.ts';

/** Tells whoever came by the link of a verification mail what became of it, once. */
export function useArrivalNotice() {
  const { user, loading } = useAuth();
  useEffect(() => {
    if (loading) return;
    const failure = arrival.get('error_description');
    const isVerified = arrival.get('type') === 'signup' && user;
    for (const name of [...arrival.keys()]) arrival.delete(name);
    if (failure) toastError(failure);
    else if (isVerified) toastSuccess('Email verified', 'Your account is ready.');
  }, [loading, user]);
}
