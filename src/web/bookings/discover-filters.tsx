import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { sports } from '#domain/sports.ts';
import { Button } from '#web/ui/button.tsx';
import { DatePicker } from '#web/ui/date-picker.tsx';
import { DialogBody, DialogFooter } from '#web/ui/dialog.tsx';
import { FormField } from '#web/ui/form-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { Sheet, SheetClose, SheetContent, SheetTrigger } from '#web/ui/sheet.tsx';
import { TypedFilter } from '#web/ui/typed-filter.tsx';
import { listActiveFilters } from './active-filters.tsx';
import type { DiscoverChange, DiscoverSearch } from './discover-search.ts';

type FiltersProps = { value: DiscoverSearch; onChange: (change: DiscoverChange) => void };

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

function Choices({ value, onChange, isLabelHidden }: FiltersProps & { isLabelHidden: boolean }) {
  return (
    <>
      <FormField label="Lesson type" isLabelHidden={isLabelHidden}>
        <Select value={value.type ?? ''} onChange={(e) => onChange({ type: e.target.value || undefined })}>
          <option value="">All Types</option>
          <option value="individual">Individual</option>
          <option value="group">Group</option>
        </Select>
      </FormField>
      <FormField label="Sport" isLabelHidden={isLabelHidden}>
        <Select value={value.sport ?? ''} onChange={(e) => onChange({ sport: e.target.value || undefined })}>
          <option value="">All sports</option>
          {Object.entries(sports).map(([slug, name]) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </Select>
      </FormField>
      <TypedFilter
        label="Town or postcode"
        maxLength={60}
        isLabelHidden={isLabelHidden}
        value={value.place}
        onSettled={(place) => onChange({ place })}
      />
      <div className="contents max-md:grid max-md:grid-cols-2 max-md:gap-3">
        <DateFilter
          label="From date"
          placeholder="From"
          isLabelHidden={isLabelHidden}
          value={value.from}
          onChange={(from) => onChange({ from })}
        />
        <DateFilter
          label="To date"
          placeholder="To"
          isLabelHidden={isLabelHidden}
          value={value.to}
          onChange={(to) => onChange({ to })}
        />
      </div>
      <FormField label="Sort" isLabelHidden={isLabelHidden}>
        <Select value={value.sort ?? ''} onChange={(e) => onChange({ sort: e.target.value || undefined })}>
          <option value="">Earliest First</option>
          <option value="price_low">Price Low to High</option>
          <option value="price_high">Price High to Low</option>
        </Select>
      </FormField>
    </>
  );
}

type DateFilterProps = {
  label: string;
  placeholder: string;
  isLabelHidden: boolean;
  value: string | undefined;
  onChange: (date: string | undefined) => void;
};

function DateFilter({ label, placeholder, isLabelHidden, value, onChange }: DateFilterProps) {
  return (
    <FormField label={label} isLabelHidden={isLabelHidden}>
      <DatePicker
        className="whitespace-nowrap"
        placeholder={isLabelHidden ? placeholder : 'Any'}
        value={value ?? null}
        onValueChange={(date) => onChange(date ?? undefined)}
      />
    </FormField>
  );
}

/**
 * The filters of discover: one sticky row on a desktop, the search box and a sheet on a phone.
 * `resultWords` stands on the sheet's button: how many lessons the filters leave, as far as it is known.
 */
export function DiscoverFilters({ resultWords, ...props }: FiltersProps & { resultWords: string }) {
  const { search: _, ...inSheet } = props.value;
  const count = listActiveFilters(inSheet).length + (props.value.sort ? 1 : 0);
  return (
    <search className="sticky top-16 z-20 -mx-4 mt-4 block border-b bg-background px-4 py-3">
      <div className="hidden grid-cols-4 gap-2 md:grid lg:grid-cols-[1.4fr_1fr_1.1fr_1.3fr_1.15fr_1.15fr_1.4fr]">
        <SearchBox {...props} />
        <Choices {...props} isLabelHidden />
      </div>
      <div className="grid grid-cols-[1fr_auto] gap-2 md:hidden">
        <SearchBox {...props} />
        <Sheet>
          <SheetTrigger asChild>
            <Button variant="secondary">
              <SlidersHorizontal aria-hidden />
              Filters{count > 0 && ` (${count})`}
            </Button>
          </SheetTrigger>
          <SheetContent title="Filters">
            <DialogBody className="space-y-4">
              <Choices {...props} isLabelHidden={false} />
            </DialogBody>
            <DialogFooter>
              <SheetClose asChild>
                <Button>{resultWords}</Button>
              </SheetClose>
            </DialogFooter>
          </SheetContent>
        </Sheet>
      </div>
    </search>
  );
}
