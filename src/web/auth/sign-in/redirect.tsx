import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

/** Goes to the requested page, or else to the dashboard; the browser's Back button skips the current page. */
export function Redirect({ next = '/dashboard' }: { next?: string | undefined }) {
  const { history } = useRouter();
  useEffect(() => history.replace(next), [history, next]);
  return <PageSpinner />;
}
