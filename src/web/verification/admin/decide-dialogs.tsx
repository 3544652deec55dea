import { useState } from 'react';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { type CheckMethod, documentMethods, methodNames } from '#domain/verification/documents.ts';
import type { CoachDocument } from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { titleOfKind } from '../check-text.ts';
import { readByAdmins } from './read-by-admins.ts';

type DecisionProps = { document: CoachDocument; coachName: string; isOpen: boolean; onClose: () => void };

type Method = (typeof documentMethods)[number];

const hints: Partial<Record<CheckMethod, string>> = {
  file: 'You opened the file and read it. Visitors see that nobody confirmed it with the issuer.',
  governing_body: 'The issuer or governing body confirmed to you that it is genuine.',
};

/** Accepts a waiting document and records how the admin saw it. */
export function AcceptDialog({ document, coachName, isOpen, onClose }: DecisionProps) {
  const { documentId, kind, hasFile } = document;
  const methods = documentMethods.filter((method) => hasFile || method !== 'file');
  const [method, setMethod] = useState<Method | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const accept = useApiMutation(checksApi.accept, { invalidates: readByAdmins });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Accept ${titleOfKind(kind).toLowerCase()}?`}
      description={`We'll notify ${coachName}, and the badge will appear on their page.`}
      submit="Accept"
      pendingLabel="Accepting..."
      isPending={accept.isPending}
      refusal={accept.error}
      onSubmit={() => {
        setIsMissing(method === null);
        if (!method) return;
        accept.mutate(
          { documentId, method },
          {
            onSuccess: () => {
              toastSuccess('Document accepted');
              onClose();
            },
          },
        );
      }}
    >
      <FormField
        label="How did you see it?"
        isGroup
        error={isMissing ? 'Choose how you saw it.' : accept.error?.fields?.method}
      >
        <RadioGroup<Method>
          value={method}
          onValueChange={(chosen) => {
            setMethod(chosen);
            setIsMissing(false);
          }}
          options={methods.map((value) => ({ value, label: methodNames[value], hint: hints[value] }))}
        />
      </FormField>
    </FormDialog>
  );
}

/**
 * Declines a document with a reason that the coach reads; a criminal record check is declined without one.
 */
export function DeclineDialog({ document, coachName, isOpen, onClose }: DecisionProps) {
  const { documentId, kind } = document;
  const isCheck = kind === 'criminal_record_check';
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | undefined>();
  const decline = useApiMutation(checksApi.decline, { invalidates: readByAdmins });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Decline ${titleOfKind(kind).toLowerCase()}?`}
      description={
        isCheck
          ? `We'll notify ${coachName}. You can't give a reason, because we don't store anything that a certificate says.`
          : `We'll send your reason to ${coachName}, who can submit another.`
      }
      submit="Decline"
      pendingLabel="Declining..."
      isDestructive
      isPending={decline.isPending}
      refusal={decline.error}
      onSubmit={() => {
        if (!isCheck && !reason.trim()) return setError('Enter the reason.');
        decline.mutate(
          { documentId, ...(!isCheck && { reason }) },
          {
            onSuccess: () => {
              toastSuccess('Document declined');
              onClose();
            },
          },
        );
      }}
    >
      {!isCheck && (
        <ReasonField
          value={reason}
          onValueChange={(typed) => {
            setError(undefined);
            setReason(typed);
          }}
          error={error ?? decline.error?.fields?.reason}
          hint="The coach reads this. Say what to do, such as “The picture is too dark to read. Please send another.”"
        />
      )}
    </FormDialog>
  );
}
