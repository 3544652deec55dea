import CircleAlert from 'lucide-react/icons/circle-alert';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { cn } from '../class-names.ts';
import { Label } from './label.tsx';

type Field = { id: string; isGroup: boolean; describedBy: string | undefined; isInvalid: boolean };

const FieldContext = createContext<Field | null>(null);

/** The ids of a control in a `FormField`, its hint and its error. The control's own props take precedence. */
export function useFieldControl(props: {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: unknown;
}) {
  const field = useContext(FieldContext);
  const single = field?.isGroup ? null : field;
  return {
    id: props.id ?? single?.id,
    'aria-describedby': props['aria-describedby'] ?? single?.describedBy,
    'aria-invalid': (props['aria-invalid'] as boolean | undefined) ?? (field?.isInvalid || undefined),
  };
}

/** Like `useFieldControl`, but for a group of controls (radio group, toggles), which the field's label names. */
export function useFieldGroup(label?: string) {
  const field = useContext(FieldContext);
  return {
    'aria-label': label,
    'aria-labelledby': label || !field ? undefined : `${field.id}-label`,
    'aria-describedby': field?.describedBy,
  };
}

type FormFieldProps = {
  label: string;
  /** Always shown below the control, for example the expected format. */
  hint?: ReactNode;
  /** A sentence the person can act on, such as react-hook-form's `errors.email?.message`. */
  error?: string | undefined;
  isOptional?: boolean;
  /** True to show the label only to screen readers. */
  isLabelHidden?: boolean;
  /** True if the children are several controls that form one field. */
  isGroup?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * Label, control, hint and error of one field, connected by id. The control inside (Input, Select, …) picks the ids
 * up: `<FormField label="Email" error={errors.email?.message}><Input type="email" {...register('email')}
 * /></FormField>`.
 */
export function FormField({
  label,
  hint,
  error,
  isOptional = false,
  isLabelHidden = false,
  isGroup = false,
  className,
  children,
}: FormFieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  const text = (
    <>
      {label}
      {isOptional && <span className="font-normal text-muted-foreground"> (optional)</span>}
    </>
  );
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      {isGroup ? (
        <span id={`${id}-label`} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
          {text}
        </span>
      ) : (
        <Label id={`${id}-label`} htmlFor={id} className={isLabelHidden ? 'sr-only' : 'w-fit'}>
          {text}
        </Label>
      )}
      <FieldContext value={{ id, isGroup, describedBy, isInvalid: Boolean(error) }}>{children}</FieldContext>
      {error && (
        <p id={`${id}-error`} role="alert" className="flex gap-1.5 text-sm text-destructive">
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted-foreground">
          {hint}
        </p>
      )}
    </div>
  );
}
