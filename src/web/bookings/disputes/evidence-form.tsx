import { useState } from 'react';
import { type Dispute, type DisputeEvidence, disputesApi } from '#domain/payments/disputes-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

type EvidenceFormProps = { dispute: Dispute; evidence: DisputeEvidence; canSend: boolean };

/**
 * The evidence from our records, with a field for the admin's own statement. The admin can send the evidence and the
 * statement to the bank only once.
 */
export function EvidenceForm({ dispute, evidence, canSend }: EvidenceFormProps) {
  const { disputeId, evidenceAskedAt, evidenceBy } = dispute;
  const [statement, setStatement] = useState(evidence.statement);
  const [isAsking, setIsAsking] = useState(false);
  const send = useApiMutation(disputesApi.sendEvidence, {
    invalidates: [disputesApi.getDispute, disputesApi.listDisputes],
  });
  const confirm = () =>
    send.mutate(
      { disputeId, statement },
      {
        onSuccess: () =>
          toastSuccess('Evidence is on its way', 'The bank usually decides within three months.'),
        onError: ({ message }) => toastError(message),
        onSettled: () => setIsAsking(false),
      },
    );
  const parts: [string, string][] = [
    ['Customer', `${evidence.customerName}, ${evidence.customerEmail}`],
    ['What was sold', evidence.productDescription],
    ['Date of service', evidence.serviceDate],
    ['Terms accepted', evidence.cancellationPolicy],
    ['What our records say', evidence.history],
    ...(canSend || !evidence.statement ? [] : [['Statement', evidence.statement] as [string, string]]),
  ];
  return (
    <Section
      title="Evidence"
      description={
        canSend
          ? 'Gathered from our records. It never includes care details.'
          : evidenceAskedAt && dispute.evidenceState !== 'refused'
            ? `Sent on ${formatDay(evidenceAskedAt, Date.now())}, ${formatTime(evidenceAskedAt)}${evidenceBy ? ` by ${evidenceBy}` : ''}.`
            : 'The bank received no evidence, and it no longer accepts any.'
      }
    >
      <dl className="max-w-reading space-y-4 text-sm">
        {parts.map(([name, text]) => (
          <div key={name}>
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="mt-1 wrap-anywhere whitespace-pre-line">{text}</dd>
          </div>
        ))}
      </dl>
      {canSend && (
        <div className="mt-6 max-w-reading space-y-4">
          <FormField
            label="Statement in your own words"
            isOptional
            error={send.error?.fields?.statement}
            hint="The bank reads this first. Say what happened, in a few sentences."
          >
            <Textarea
              rows={5}
              maxLength={5000}
              value={statement}
              onChange={(event) => setStatement(event.target.value)}
            />
          </FormField>
          <Button onClick={() => setIsAsking(true)}>Send evidence</Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Send this evidence?"
        confirmLabel="Send evidence"
        onConfirm={confirm}
        isPending={send.isPending}
        pendingLabel="Sending..."
      >
        <p>The bank accepts evidence only once. You can't change or add anything afterwards.</p>
      </ConfirmDialog>
    </Section>
  );
}
