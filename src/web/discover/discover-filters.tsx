import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { Suspense, useState } from 'react';
import { filterNames } from '#domain/discover/filters.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';
import type { FiltersProps } from './discover-search.ts';
import { filterControls, listActiveFilters } from './filter-controls.tsx';

// The sheet is loaded when it opens, which happens only on a phone.
const FilterSheet = lazyPart(() => import('./filter-sheet.tsx'), 'FilterSheet');

const SearchBox = filterControls.search.Control;

/**
 * The filters of discover: one sticky row on a desktop, rows of up to four on a tablet, the search box and a sheet on a
 * phone. `formatResultCount` is the label of the sheet's button, with the number of matching lessons if it is known.
 */
export function DiscoverFilters({
  formatResultCount,
  ...props
}: FiltersProps & { formatResultCount: string }) {
  const [sheet, setSheet] = useState<'unused' | 'open' | 'closed'>('unused');
  const { search: _, ...inSheet } = props.value;
  const count = listActiveFilters(inSheet).length + (props.value.sort ? 1 : 0);
  return (
    <search className="sticky top-16 z-20 -mx-4 mt-4 block border-b bg-background px-4 py-3">
      <div className="hidden flex-wrap gap-2 md:flex lg:flex-nowrap">
        {filterNames.map((name) => {
          const { Control, className = 'grow' } = filterControls[name];
          return (
            <div key={name} className={cn('basis-1/5 empty:hidden max-lg:min-w-0 lg:basis-0', className)}>
              <Control {...props} isLabelHidden />
            </div>
          );
        })}
      </div>
      <div className="grid grid-cols-[1fr_auto] gap-2 md:hidden">
        <SearchBox {...props} isLabelHidden />
        <Button
          variant="secondary"
          aria-haspopup="dialog"
          aria-expanded={sheet === 'open'}
          onClick={() => setSheet('open')}
        >
          <SlidersHorizontal aria-hidden />
          Filters{count > 0 && ` (${count})`}
        </Button>
        {sheet !== 'unused' && (
          <Suspense fallback={<OverlaySpinner />}>
            <FilterSheet
              {...props}
              formatResultCount={formatResultCount}
              isOpen={sheet === 'open'}
              onClose={() => setSheet('closed')}
            />
          </Suspense>
        )}
      </div>
    </search>
  );
}
