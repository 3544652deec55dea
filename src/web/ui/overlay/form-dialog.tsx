import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { Dialog, DialogBody, DialogButtons, DialogContent } from './dialog.tsx';
import type { DialogButtonsProps } from './dialog-parts.tsx';

type DialogFormProps = Omit<DialogButtonsProps, 'form'> & {
  /** Sends the form. Not called while the form is pending or disabled. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /**
   * The refusal of the form, such as its mutation's `error`. Its message is shown above the buttons, unless there are
   * `fields`: the form then shows their messages itself. Omit `refusal` if `useRefusal` shows it.
   */
  refusal?: { message: string; fields?: Record<string, string> | undefined } | null;
  /** Classes of the fields' container. */
  className?: string;
  children: ReactNode;
};

/** The form inside a `DialogContent`: its fields, the reason for a refusal, and its buttons. */
export function DialogForm({
  onSubmit,
  refusal,
  className = 'space-y-5',
  children,
  ...buttons
}: DialogFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!buttons.isPending && !buttons.isDisabled) onSubmit(event);
  }
  const isAtField = Object.keys(refusal?.fields ?? {}).length > 0;
  return (
    <form noValidate onSubmit={submit}>
      <DialogBody className={className}>
        {children}
        {refusal !== undefined && (
          <div role="alert" className="empty:hidden">
            {refusal && !isAtField && (
              <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">
                {refusal.message}
              </p>
            )}
          </div>
        )}
      </DialogBody>
      <DialogButtons {...buttons} />
    </form>
  );
}

type FormDialogProps = Omit<DialogFormProps, 'onCancel'> &
  Pick<ComponentProps<typeof DialogContent>, 'title' | 'description' | 'size'> & {
    isOpen: boolean;
    onClose: () => void;
  };

/**
 * A dialog with a form; it cannot be closed while the form is being sent. The typed values are in the
 * caller's state, so give the caller a new `key` for each opening (`useDialogItem`), or render it only while
 * the dialog is open.
 */
export function FormDialog({ isOpen, onClose, title, description, size, ...form }: FormDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || form.isPending || onClose()}>
      <DialogContent title={title} description={description} size={size}>
        <DialogForm {...form} onCancel={onClose} />
      </DialogContent>
    </Dialog>
  );
}
