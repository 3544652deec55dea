import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useAuth } from './auth-provider.tsx';

/** Leads home: to the dashboard inside the app, or, for a visitor, to the start page that the server draws. */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  const { user, loading } = useAuth();
  return <Link to="/" {...props} reloadDocument={!user && !loading} activeProps={{}} />;
}
