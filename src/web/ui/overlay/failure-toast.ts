import { useEffect } from 'react';
import { toastError } from './toaster.ts';

/** Shows one error toast with `message` each time `isFailed` becomes true. */
export function useFailureToast(isFailed: boolean, message: string): void {
  useEffect(() => {
    if (isFailed) toastError(message);
  }, [isFailed, message]);
}
