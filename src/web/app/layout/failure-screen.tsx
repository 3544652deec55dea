import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PlainFailure } from '../api/plain-failure.tsx';

/** What a page becomes when showing it failed: the rest of the product stays, and it can be tried again. */
export function FailureScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => console.error('Page error', error), [error]);
  async function retry() {
    await router.invalidate();
    reset();
  }
  return (
    <PlainFailure
      title="This page couldn't be shown"
      message="Something went wrong on this page. Try again; if it keeps happening, reload it."
      onRetry={retry}
    />
  );
}
