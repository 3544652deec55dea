import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useAuth } from './auth-provider.tsx';

/** Leads home: to the dashboard, or, for a visitor, to the server-rendered start page. */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  const { user, loading } = useAuth();
  return <Link to="/" {...props} reloadDocument={!user && !loading} activeProps={{}} />;
}
