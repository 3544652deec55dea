import { useState } from 'react';
import { moderationApi, type ReviewCase } from '#domain/reviews/moderation-contract.ts';
import type { RemovalReason } from '#domain/reviews/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { reasonOptions } from './review-labels.ts';

const shownLabels = {
  check: 'Publish as written',
  report: 'Keep it public',
  appeal: 'Show it',
  attendance: 'They were there',
};

/** The buttons with which an admin decides on a case. */
export function DecideCase({ found }: { found: ReviewCase }) {
  const { caseId, kind } = found;
  const [isRemoving, setIsRemoving] = useState(false);
  const [reason, setReason] = useState<RemovalReason | null>(found.reason);
  const decide = useApiMutation(moderationApi.decideCase, {
    invalidates: [moderationApi.getCase, moderationApi.listCases],
  });
  const isClaim = kind === 'attendance';
  const settle = (decision: 'show' | 'accept' | 'decline') =>
    decide.mutate(
      { caseId, decision },
      {
        onSuccess: () => toastSuccess('Decision saved', "We'll notify the people concerned."),
        onError: (error) => toastError(error.message),
      },
    );
  const remove = () =>
    decide.mutate(
      { caseId, decision: 'remove', reason: reason ?? undefined },
      {
        onSuccess: () => {
          setIsRemoving(false);
          toastSuccess('Removed', "We'll notify the author, who can appeal once, and the reporters.");
        },
      },
    );
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant="secondary"
        isLoading={decide.isPending && !isRemoving}
        onClick={() => settle(isClaim ? 'accept' : 'show')}
      >
        {shownLabels[kind]}
      </Button>
      {isClaim ? (
        <Button variant="ghost" disabled={decide.isPending} onClick={() => settle('decline')}>
          They were not there
        </Button>
      ) : (
        <Button variant="destructive" disabled={decide.isPending} onClick={() => setIsRemoving(true)}>
          Remove
        </Button>
      )}
      <FormDialog
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={`Remove this ${found.about}?`}
        description="Nobody will see it any more. We'll send the reason to the author and the reporters. A low rating isn't a reason to remove a review."
        size="sm"
        onSubmit={remove}
        refusal={decide.error}
        submit="Remove"
        isPending={decide.isPending}
        pendingLabel="Removing..."
      >
        <FormField label="Reason" isGroup error={decide.error?.fields?.reason}>
          <RadioGroup value={reason} onValueChange={setReason} options={reasonOptions} />
        </FormField>
      </FormDialog>
    </div>
  );
}
