import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { NoAccess, ProfileUnreachable } from './area-gate.tsx';
import { useAuth } from './auth-provider.tsx';

/** Sends coaches and customers from /dashboard to their own area; admins, and people without any role, stay. */
export function DashboardGate({ children }: { children: ReactNode }) {
  const { user, loading, isAdmin, isCoach, isCustomer, isProfileUnreachable, refreshProfile } = useAuth();
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (loading) return <PageSpinner />;
  if (!user) return <NoAccess message="Please sign in to see your dashboard." />;
  if (!isAdmin && isCoach) return <Navigate to="/coach/dashboard" replace />;
  if (!isAdmin && isCustomer) return <Navigate to="/customer/dashboard" replace />;
  return children;
}
