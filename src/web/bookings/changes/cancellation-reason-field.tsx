import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';

type CancellationReasonFieldProps = {
  value: string;
  onValueChange: (reason: string) => void;
  error: string | undefined;
  /** Nobody reads it where nobody has booked. */
  hasReaders: boolean;
};

/** A sentence of the coach that stands in the mails about a cancelled lesson. */
export function CancellationReasonField({
  value,
  onValueChange,
  error,
  hasReaders,
}: CancellationReasonFieldProps) {
  return (
    <FormField
      label="Reason"
      isOptional
      error={error}
      hint={hasReaders ? 'Stands in the mail, like “The pitch is under water”.' : 'For your own calendar.'}
    >
      <Input
        autoComplete="off"
        maxLength={200}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
    </FormField>
  );
}

/** A refusal that belongs to no field, inside a dialog that stays open. */
export function DialogRefusal({ message }: { message: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {message && (
        <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">{message}</p>
      )}
    </div>
  );
}
