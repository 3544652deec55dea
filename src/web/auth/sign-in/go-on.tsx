import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

/** Goes to the requested page, or else to the dashboard; going back does not return here. */
export function GoOn({ next = '/dashboard' }: { next?: string | undefined }) {
  const { history } = useRouter();
  useEffect(() => history.replace(next), [history, next]);
  return <PageSpinner />;
}
