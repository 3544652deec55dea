import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '#web/ui/button.tsx';

/** What a page becomes when showing it failed: the rest of the product stays, and it can be tried again. */
export function FailureScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => console.error('A page failed', error), [error]);
  async function retry() {
    await router.invalidate();
    reset();
  }
  return (
    // Plainer than other faults, since it must be there when nothing more can be fetched.
    <div role="alert" className="flex grow flex-col items-center justify-center px-4 py-12 text-center">
      <p className="text-lg font-semibold tracking-tight">This page could not be shown</p>
      <p className="mt-1.5 mb-6 max-w-[44ch] text-sm text-muted-foreground">
        Something went wrong on this page. Try again; if it keeps happening, reload it.
      </p>
      <Button variant="secondary" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
