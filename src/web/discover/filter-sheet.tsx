import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { Sheet, SheetClose, SheetContent } from '#web/ui/overlay/sheet.tsx';
import { Choices, type FiltersProps, SortChoice } from './discover-choices.tsx';

type FilterSheetProps = FiltersProps & { formatResultCount: string; isOpen: boolean; onClose: () => void };

/** The filters of discover on a phone; `formatResultCount` gives the label of the button back to the list. */
export function FilterSheet({ formatResultCount, isOpen, onClose, ...props }: FilterSheetProps) {
  return (
    <Sheet open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <SheetContent title="Filters">
        <DialogBody className="space-y-4">
          <Choices {...props} isLabelHidden={false} />
          <SortChoice {...props} isLabelHidden={false} />
        </DialogBody>
        <DialogFooter>
          <SheetClose asChild>
            <Button>{formatResultCount}</Button>
          </SheetClose>
        </DialogFooter>
      </SheetContent>
    </Sheet>
  );
}
