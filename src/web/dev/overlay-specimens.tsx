import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogTrigger,
} from '#web/ui/overlay/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { Sheet, SheetClose, SheetContent, SheetTrigger } from '#web/ui/overlay/sheet.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { Specimen } from './specimen.tsx';

const terms = Array.from(
  { length: 14 },
  (_, week) => `Week ${week + 1}: a warm-up, one drill, a game, stretching.`,
);

function FormSpecimen() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        Dialog with a form
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Create a lesson"
        description="You can change everything later."
        onSubmit={() => setIsOpen(false)}
        refusal={{ message: 'You have another lesson at that time.' }}
        submit="Create lesson"
        isPending={false}
        pendingLabel="Creating..."
      >
        <FormField label="Title">
          <Input />
        </FormField>
        <FormField label="Description" isOptional>
          <Textarea />
        </FormField>
      </FormDialog>
    </>
  );
}

function LongDialog() {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="secondary">Long dialog</Button>
      </DialogTrigger>
      <DialogContent title="A term of football" size="sm">
        <DialogBody className="space-y-4">
          {terms.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Done</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Confirmations() {
  const [open, setOpen] = useState<'safe' | 'destructive' | 'pending' | null>(null);
  const close = (isOpen: boolean) => setOpen(isOpen ? open : null);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen('safe')}>
        Confirmation
      </Button>
      <Button variant="secondary" onClick={() => setOpen('destructive')}>
        Destructive confirmation
      </Button>
      <Button variant="secondary" onClick={() => setOpen('pending')}>
        Pending confirmation
      </Button>
      <ConfirmDialog
        open={open === 'safe'}
        onOpenChange={close}
        title="Mark this payrun as paid?"
        confirmLabel="Mark as paid"
        onConfirm={() => setOpen(null)}
      >
        We'll notify three coaches that £147.00 is on its way.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'destructive' || open === 'pending'}
        onOpenChange={() => setOpen(null)}
        title="Cancel this booking?"
        confirmLabel="Cancel Booking"
        cancelLabel="Keep booking"
        isDestructive
        isPending={open === 'pending'}
        pendingLabel="Cancelling..."
        onConfirm={() => {
          setOpen('pending');
          setTimeout(() => setOpen(null), 1500);
        }}
      >
        You'll be refunded £50.00 to Visa ending 4242 in 5 to 10 days.
      </ConfirmDialog>
    </>
  );
}

function MenuSpecimen() {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuLabel>Beginners' tennis</DropdownMenuLabel>
          <DropdownMenuItem>
            <CalendarPlus aria-hidden />
            Add to calendar
          </DropdownMenuItem>
          <DropdownMenuItem disabled>Message the coach</DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem isDestructive onSelect={() => setDeleting(true)}>
            <Trash aria-hidden />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete this lesson?"
        confirmLabel="Delete"
        cancelLabel="Keep lesson"
        isDestructive
        onConfirm={() => setDeleting(false)}
      >
        Nobody has booked this lesson, so nobody will be notified.
      </ConfirmDialog>
    </>
  );
}

/** Overlays: dialogs, sheets, menus, toasts. */
export function OverlaySpecimens() {
  return (
    <Section
      title="Overlays"
      description="Escape closes each overlay and returns the focus to the button that opened it."
    >
      <Specimen name="Dialogs">
        <div className="flex flex-wrap gap-3">
          <FormSpecimen />
          <LongDialog />
          <Confirmations />
        </div>
      </Specimen>
      <Specimen name="Sheet and menu">
        <div className="flex flex-wrap gap-3">
          <Sheet>
            <SheetTrigger asChild>
              <Button variant="secondary">Filters</Button>
            </SheetTrigger>
            <SheetContent title="Filters">
              <DialogBody className="space-y-4">
                <FormField label="Town">
                  <Input />
                </FormField>
                <FormField label="Maximum price">
                  <Input leading="£" inputMode="decimal" />
                </FormField>
              </DialogBody>
              <DialogFooter>
                <SheetClose asChild>
                  <Button>Show 24 lessons</Button>
                </SheetClose>
              </DialogFooter>
            </SheetContent>
          </Sheet>
          <MenuSpecimen />
        </div>
      </Specimen>
      <Specimen name="Toasts">
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            onClick={() => toastSuccess('Booking Successful!', 'Your lesson has been booked successfully')}
          >
            Success toast
          </Button>
          <Button variant="secondary" onClick={() => toastError('Failed to load your bookings')}>
            Error toast
          </Button>
        </div>
      </Specimen>
    </Section>
  );
}
