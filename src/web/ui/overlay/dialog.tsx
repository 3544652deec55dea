import X from 'lucide-react/icons/x';
import * as DialogPrimitive from 'radix-ui/dialog';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../class-names.ts';
import {
  DialogBody,
  DialogButtons,
  DialogFooter,
  overlayClasses,
  panelClasses,
  useReturnFocus,
} from './dialog-parts.tsx';
import { useDiscardGuard } from './discard-guard.tsx';

export { DialogBody, DialogButtons, DialogFooter };

/** A dialog, opened by its `open` prop or by a `DialogTrigger`. Escape closes the dialog and returns the focus. */
export const Dialog = DialogPrimitive.Root;
export const DialogTrigger = DialogPrimitive.Trigger;
/** Wraps a button (`asChild`) that closes the dialog and does nothing else. */
export const DialogClose = DialogPrimitive.Close;

const widths = { sm: 'md:max-w-[26rem]', md: 'md:max-w-[34rem]', lg: 'md:max-w-[46rem]' };

type DialogContentProps = {
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  size?: keyof typeof widths;
  className?: string;
  children: ReactNode;
} & Pick<
  ComponentProps<typeof DialogPrimitive.Content>,
  'onOpenAutoFocus' | 'onInteractOutside' | 'onEscapeKeyDown'
>;

/**
 * The panel of a dialog with its title and close button. Put a `DialogForm` inside, or a `DialogBody` and a
 * `DialogFooter`; the title and the footer stay visible while the body scrolls. Escape asks before it discards typed
 * input. For a small form use `FormDialog`, for a question `ConfirmDialog`.
 */
export function DialogContent({
  title,
  description,
  size = 'md',
  className,
  children,
  onOpenAutoFocus,
  ...props
}: DialogContentProps) {
  const { question, onInput, onEscapeKeyDown, onPointerDownOutside } = useDiscardGuard();
  const focus = useReturnFocus();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClasses} />
      <DialogPrimitive.Content
        onInput={onInput}
        onEscapeKeyDown={onEscapeKeyDown}
        onPointerDownOutside={onPointerDownOutside}
        {...props}
        onOpenAutoFocus={(event) => {
          focus.onOpenAutoFocus();
          onOpenAutoFocus?.(event);
        }}
        onCloseAutoFocus={focus.onCloseAutoFocus}
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={cn(panelClasses, widths[size], className)}
      >
        <div className="min-h-0 overflow-y-auto overscroll-contain">
          {/* The shadow covers the seam that Chromium leaves below the title if the panel starts at half a pixel. */}
          <div className="sticky top-0 z-10 bg-popover px-4 pt-5 pb-3 shadow-[0_1px_var(--popover)] md:px-6 md:pt-6">
            <DialogPrimitive.Title className="pr-10 text-lg">{title}</DialogPrimitive.Title>
            {description && (
              <DialogPrimitive.Description className="mt-1.5 pr-6 text-sm text-muted-foreground">
                {description}
              </DialogPrimitive.Description>
            )}
          </div>
          {children}
        </div>
        <CloseButton />
        {question}
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}

/** The close button in the corner of a dialog or sheet; last in the tab order so that focus starts in the content. */
export function CloseButton() {
  return (
    <DialogPrimitive.Close
      aria-label="Close"
      className="absolute top-3 right-2 z-20 inline-flex size-10 items-center justify-center rounded-md text-muted-foreground transition-colors hover:bg-accent hover:text-foreground md:top-4 md:right-4 touch:size-11"
    >
      <X aria-hidden className="size-5" />
    </DialogPrimitive.Close>
  );
}
