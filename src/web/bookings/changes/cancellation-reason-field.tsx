import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';

type CancellationReasonFieldProps = {
  value: string;
  onValueChange: (reason: string) => void;
  error: string | undefined;
  /** False if the cancellation sends no emails, so that customers will not see the reason. */
  hasReaders: boolean;
};

/** The coach's reason, included in the emails about a cancelled lesson. */
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
      hint={
        hasReaders
          ? "We'll include the reason in the email. Example: “The pitch is flooded”."
          : 'Only you will see the reason.'
      }
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
