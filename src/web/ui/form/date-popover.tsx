import * as Popover from 'radix-ui/popover';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

type DatePopoverProps = {
  /** The button that opens the popover; the focus returns to this button. */
  anchor: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The popover beside a date's button, with the calendar inside. */
export default function DatePopover({ anchor, isOpen, onClose, children }: DatePopoverProps) {
  /** True if the calendar closes because another element was pressed, which then keeps the focus. */
  const isLeft = useRef(false);
  // The popover follows its button. Content that loads above the button may push both off the screen.
  useEffect(() => {
    if (!isOpen) return;
    const observer = new ResizeObserver(() => anchor.current?.scrollIntoView({ block: 'nearest' }));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isOpen, anchor]);
  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Calendar"
          onInteractOutside={(event) => {
            // The button's own handler closes the calendar.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isLeft.current) anchor.current?.focus();
            isLeft.current = false;
          }}
          className="z-50 max-h-(--radix-popover-content-available-height) overflow-y-auto rounded-lg border bg-popover p-3 text-foreground shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
