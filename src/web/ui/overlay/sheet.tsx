import * as DialogPrimitive from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { cn } from '../class-names.ts';
import { CloseButton } from './dialog.tsx';
import { overlayClasses, useReturnFocus } from './dialog-parts.tsx';

/** A sheet, opened and closed like a `Dialog`. */
export const Sheet = DialogPrimitive.Root;
export const SheetTrigger = DialogPrimitive.Trigger;
export const SheetClose = DialogPrimitive.Close;

/**
 * A panel beside the page: filters, a menu. It slides in from below on a phone and from the right on wider
 * screens. Put a `DialogBody` and a `DialogFooter` inside.
 */
export function SheetContent({
  title,
  className,
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClasses} />
      <DialogPrimitive.Content
        {...useReturnFocus()}
        aria-describedby={undefined}
        className={cn(
          'fixed z-50 flex flex-col overflow-hidden border bg-popover text-foreground shadow-float outline-none',
          'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-xl border-x-0 border-b-0',
          'data-[state=closed]:animate-slide-down data-[state=open]:animate-slide-up',
          'md:inset-y-0 md:right-0 md:left-auto md:max-h-none md:w-96 md:rounded-none md:border-y-0 md:border-r-0 md:border-l',
          'md:data-[state=closed]:animate-slide-to-right md:data-[state=open]:animate-slide-from-right',
          className,
        )}
      >
        <div className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain [&>:last-child]:mt-auto">
          <DialogPrimitive.Title className="sticky top-0 z-10 bg-popover py-5 pr-14 pl-4 text-lg md:pl-6">
            {title}
          </DialogPrimitive.Title>
          {children}
        </div>
        <CloseButton />
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}
