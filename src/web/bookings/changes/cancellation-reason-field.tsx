import { ReasonField } from '#web/ui/form/reason-field.tsx';

type CancellationReasonFieldProps = {
  value: string;
  onValueChange: (reason: string) => void;
  error: string | undefined;
  /** False if the cancellation sends no emails, so no customer sees the reason. */
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
    <ReasonField
      isOptional
      maxLength={200}
      value={value}
      onValueChange={onValueChange}
      error={error}
      hint={
        hasReaders
          ? "We'll include the reason in the email. Example: “The pitch is flooded”."
          : 'Only you will see the reason.'
      }
    />
  );
}
