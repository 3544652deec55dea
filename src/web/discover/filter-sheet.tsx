import { filterNames } from '#domain/discover/filters.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogBody, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { Sheet, SheetClose, SheetContent } from '#web/ui/overlay/sheet.tsx';
import type { FiltersProps } from './discover-search.ts';
import { filterControls } from './filter-controls.tsx';
import { SortChoice } from './sort-choice.tsx';

type FilterSheetProps = FiltersProps & { formatResultCount: string; isOpen: boolean; onClose: () => void };

/** The filters of discover on a phone; `formatResultCount` is the label of the button that returns to the list. */
export function FilterSheet({ formatResultCount, isOpen, onClose, ...props }: FilterSheetProps) {
  // The search box stays above the list.
  const names = filterNames.filter((name) => name !== 'search');
  return (
    <Sheet open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <SheetContent title="Filters">
        <DialogBody className="space-y-4">
          <div className="grid grid-cols-2 gap-x-3 gap-y-4">
            {names.map((name) => {
              const { Control, isHalf } = filterControls[name];
              return (
                <div key={name} className={isHalf ? '' : 'col-span-2 empty:hidden'}>
                  <Control {...props} isLabelHidden={false} />
                </div>
              );
            })}
          </div>
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
