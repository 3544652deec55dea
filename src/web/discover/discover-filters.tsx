import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { Suspense, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { OverlaySpinner } from '#web/ui/page/spinner.tsx';
import { listActiveFilters } from './active-filters.tsx';
import { Choices, type FiltersProps } from './discover-choices.tsx';

// Loaded when it is opened, on a phone.
const FilterSheet = lazyPart(async () => (await import('./filter-sheet.tsx')).FilterSheet);

function SearchBox({ value, onChange }: FiltersProps) {
  return (
    <TypedFilter
      label="Search lessons"
      maxLength={100}
      isLabelHidden
      value={value.search}
      onSettled={(search) => onChange({ search })}
    />
  );
}

/**
 * The filters of discover: one sticky row on a desktop, the search box and a sheet on a phone. `formatResultCount`
 * gives the label of the sheet's button: how many lessons match, as far as that is known.
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
      <div className="hidden grid-cols-4 gap-2 md:grid lg:grid-cols-[1.5fr_1.05fr_1.1fr_1.35fr_1.2fr_1.15fr_1.15fr]">
        <div className="max-lg:col-span-2">
          <SearchBox {...props} />
        </div>
        <Choices {...props} isLabelHidden />
      </div>
      <div className="grid grid-cols-[1fr_auto] gap-2 md:hidden">
        <SearchBox {...props} />
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
