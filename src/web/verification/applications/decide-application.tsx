import { useState } from 'react';
import type { CoachApplication } from '#domain/verification/application.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

const texts = {
  changes: {
    title: 'Ask for changes?',
    description: "We'll email your message. The person can then change the application and submit it again.",
    label: 'What should change?',
    submit: 'Ask for changes',
    done: 'Changes requested',
  },
  decline: {
    title: 'Decline this application?',
    description: "We'll email the reason. The person can apply again.",
    label: 'Reason',
    submit: 'Decline',
    done: 'Application declined',
  },
} as const;
type Answer = keyof typeof texts;

/** Buttons with which an admin decides on a waiting application. */
export function DecideApplication({ application }: { application: CoachApplication }) {
  const { applicationId, fullName, email, submittedAt } = application;
  const name = fullName || email;
  const [isApproving, setIsApproving] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [message, setMessage] = useState('');
  const decide = useApiMutation(applicationQueueApi.decide, {
    invalidates: [applicationQueueApi.get, applicationQueueApi.list],
  });
  const version = { applicationId, submittedAt: submittedAt! };
  const approve = () =>
    decide.mutate(
      { ...version, decision: 'approve' },
      {
        onSuccess: () => toastSuccess('Application approved', `${name} is now a coach. We'll email them.`),
        onError: (error) => toastError(error.message),
        onSettled: () => setIsApproving(false),
      },
    );
  const send = (decision: Answer) =>
    decide.mutate(
      { ...version, decision, message },
      {
        onSuccess: () => {
          setAnswer(null);
          toastSuccess(texts[decision].done, `We'll email ${name}.`);
        },
      },
    );
  function ask(next: Answer): void {
    decide.reset();
    setMessage('');
    setAnswer(next);
  }
  const shown = answer && texts[answer];
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => setIsApproving(true)}>Approve</Button>
      <Button variant="secondary" onClick={() => ask('changes')}>
        Ask for changes
      </Button>
      <Button variant="ghost" onClick={() => ask('decline')}>
        Decline
      </Button>
      <ConfirmDialog
        open={isApproving}
        onOpenChange={setIsApproving}
        title={`Make ${name} a coach?`}
        confirmLabel="Approve"
        cancelLabel="Not yet"
        isPending={decide.isPending}
        pendingLabel="Approving..."
        onConfirm={approve}
      >
        <p>
          {name} gets the coach role immediately. Their lessons can be found once we've accepted the documents
          that the club requires.
        </p>
      </ConfirmDialog>
      {answer && shown && (
        <FormDialog
          isOpen
          onClose={() => setAnswer(null)}
          title={shown.title}
          description={shown.description}
          size="sm"
          onSubmit={() => send(answer)}
          refusal={decide.error}
          submit={shown.submit}
          isPending={decide.isPending}
          pendingLabel="Sending..."
        >
          <FormField label={shown.label} error={decide.error?.fields?.message}>
            <Textarea
              rows={4}
              maxLength={1000}
              value={message}
              onChange={({ target }) => setMessage(target.value)}
            />
          </FormField>
        </FormDialog>
      )}
    </div>
  );
}
