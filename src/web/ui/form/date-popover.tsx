import * as Popover from 'radix-ui/popover';
import { type ReactNode, type RefObject, useRef } from 'react';

type DatePopoverProps = {
  /** The button it belongs to, which gets the focus back. */
  anchor: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The popover at a date's button that contains its calendar. */
export default function DatePopover({ anchor, isOpen, onClose, children }: DatePopoverProps) {
  /** Another element was pressed and has the focus now. */
  const isLeft = useRef(false);
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
            // The button closes it by itself.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isLeft.current) anchor.current?.focus();
            isLeft.current = false;
          }}
          className="z-50 rounded-lg border bg-popover p-3 text-foreground shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
