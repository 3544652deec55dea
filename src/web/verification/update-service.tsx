import { useState } from 'react';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { updateServiceText, updateServiceTextVersion } from '#domain/verification/update-service.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { formatDate } from './check-text.ts';

/**
 * Asks for the coach's consent to status checks with the DBS Update Service, or lets the coach withdraw it.
 */
export function UpdateServiceConsent({ consent }: Pick<TrustFile, 'consent'>) {
  const [isAsking, setIsAsking] = useState(false);
  const options = { invalidates: [documentsApi.getMine] };
  const give = useApiMutation(documentsApi.giveConsent, options);
  const withdraw = useApiMutation(documentsApi.withdrawConsent, options);
  return (
    <section aria-label="DBS Update Service" className="mt-5 rounded-lg border p-4 text-sm md:p-5">
      <h3 className="text-base font-semibold">DBS Update Service</h3>
      <p className="mt-1.5 text-muted-foreground">
        If you subscribe to it, we can check your certificate online instead of asking you to show it again.
        We do that only with your consent.
      </p>
      {consent ? (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p className="font-medium">You agreed on {formatDate(consent.givenAt.slice(0, 10))}.</p>
          <Button variant="secondary" size="sm" onClick={() => setIsAsking(true)}>
            Withdraw consent
          </Button>
        </div>
      ) : (
        <>
          <blockquote className="mt-3 border-l-2 pl-3">{updateServiceText}</blockquote>
          <Button
            variant="secondary"
            size="sm"
            className="mt-4"
            isLoading={give.isPending}
            loadingText="Saving..."
            onClick={() =>
              give.mutate(
                { textVersion: updateServiceTextVersion },
                {
                  onSuccess: () => toastSuccess('Consent recorded'),
                  onError: ({ message }) => toastError(message),
                },
              )
            }
          >
            I agree
          </Button>
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Withdraw your consent?"
        confirmLabel="Withdraw consent"
        cancelLabel="Keep consent"
        isPending={withdraw.isPending}
        pendingLabel="Withdrawing..."
        onConfirm={() =>
          withdraw.mutate(
            {},
            {
              onSuccess: () => toastSuccess('Consent withdrawn'),
              onError: ({ message }) => toastError(message),
              onSettled: () => setIsAsking(false),
            },
          )
        }
      >
        We won't ask the Update Service again. We keep the checks that we've already recorded. Next time,
        you'll need to show us the certificate itself.
      </ConfirmDialog>
    </section>
  );
}
