import { useEffect } from 'react';
import { toastError } from './toaster.tsx';

/** Shows one error toast with `message` whenever a read starts to fail; nothing while `isFailed` is unchanged. */
export function useFailureToast(isFailed: boolean, message: string): void {
  useEffect(() => {
    if (isFailed) toastError(message);
  }, [isFailed, message]);
}
