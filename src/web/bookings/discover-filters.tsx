import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useEffect, useState } from 'react';
import { type Sport, sports } from '#domain/catalogue/sports.ts';
import { formatDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { DatePicker } from '#web/ui/date-picker.tsx';
import { DialogBody, DialogFooter } from '#web/ui/dialog.tsx';
import { FormField } from '#web/ui/form-field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Select } from '#web/ui/select.tsx';
import { Sheet, SheetClose, SheetContent, SheetTrigger } from '#web/ui/sheet.tsx';
import type { DiscoverFilterName, DiscoverSearch } from './discover-search.ts';

type FiltersProps = {
  value: DiscoverSearch;
  /** Takes what changed; undefined takes a filter off. */
  onChange: (change: Partial<Record<keyof DiscoverSearch, string | undefined>>) => void;
  /** Shown on the phone sheet's button: how many lessons the filters leave, as far as it is known. */
  resultWords: string;
};

/** A text filter that waits for a pause in typing before it searches. */
function TypedFilter({
  label,
  placeholder,
  value,
  onSettled,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSettled: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(value ?? '');
  useEffect(() => setTyped(value ?? ''), [value]);
  useEffect(() => {
    if (typed.trim() === (value ?? '')) return;
    const timer = setTimeout(() => onSettled(typed.trim() || undefined), 300);
    return () => clearTimeout(timer);
  }, [typed, value, onSettled]);
  return (
    <FormField label={label} isLabelHidden>
      <Input
        type="search"
        value={typed}
        placeholder={placeholder}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormField>
  );
}

function SearchBox({ value, onChange }: FiltersProps) {
  return (
    <TypedFilter
      label="Search lessons"
      placeholder="Search lessons"
      value={value.search}
      onSettled={(search) => onChange({ search })}
    />
  );
}

function Choices({ value, onChange }: FiltersProps) {
  return (
    <>
      <FormField label="Lesson type" isLabelHidden>
        <Select value={value.type ?? ''} onChange={(e) => onChange({ type: e.target.value || undefined })}>
          <option value="">All Types</option>
          <option value="individual">Individual</option>
          <option value="group">Group</option>
        </Select>
      </FormField>
      <FormField label="Sport" isLabelHidden>
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
        placeholder="Town or postcode"
        value={value.place}
        onSettled={(place) => onChange({ place })}
      />
      <DatePicker
        aria-label="From date"
        placeholder="From"
        value={value.from ?? null}
        onValueChange={(from) => onChange({ from: from ?? undefined })}
      />
      <DatePicker
        aria-label="To date"
        placeholder="To"
        value={value.to ?? null}
        onValueChange={(to) => onChange({ to: to ?? undefined })}
      />
      <FormField label="Sort" isLabelHidden>
        <Select value={value.sort ?? ''} onChange={(e) => onChange({ sort: e.target.value || undefined })}>
          <option value="">Earliest First</option>
          <option value="price_low">Price Low to High</option>
          <option value="price_high">Price High to Low</option>
        </Select>
      </FormField>
    </>
  );
}

/** The filters of discover: one sticky row on a desktop, the search box and a sheet on a phone. */
export function DiscoverFilters(props: FiltersProps) {
  const count = activeFilters(props.value).length;
  return (
    <div className="sticky top-14 z-20 -mx-4 border-b bg-background px-4 py-3">
      <div className="hidden grid-cols-[2fr_1fr_1fr_1.4fr_1fr_1fr_1.3fr] gap-2 md:grid">
        <SearchBox {...props} />
        <Choices {...props} />
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
            <DialogBody className="space-y-3">
              <Choices {...props} />
            </DialogBody>
            <DialogFooter>
              <SheetClose asChild>
                <Button>{props.resultWords}</Button>
              </SheetClose>
            </DialogFooter>
          </SheetContent>
        </Sheet>
      </div>
    </div>
  );
}

/** The filters that are on, each with words of its own. */
export function activeFilters(value: DiscoverSearch, coachName?: string) {
  const day = (date: string) => formatDay(`${date}T12:00:00Z`, Date.now());
  const found: { name: DiscoverFilterName; words: string }[] = [];
  if (value.search) found.push({ name: 'search', words: `“${value.search}”` });
  if (value.type) found.push({ name: 'type', words: value.type === 'group' ? 'Group' : 'Individual' });
  if (value.sport) found.push({ name: 'sport', words: sports[value.sport as Sport] ?? value.sport });
  if (value.place) found.push({ name: 'place', words: value.place });
  if (value.from) found.push({ name: 'from', words: `From ${day(value.from)}` });
  if (value.to) found.push({ name: 'to', words: `Until ${day(value.to)}` });
  if (value.coachId) found.push({ name: 'coachId', words: coachName ?? 'One coach' });
  return found;
}

/** The active filters as chips that take themselves off. */
export function FilterChips({
  value,
  onChange,
  coachName,
}: Pick<FiltersProps, 'value' | 'onChange'> & { coachName: string | undefined }) {
  const active = activeFilters(value, coachName);
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {active.map(({ name, words }) => (
        <Chip
          key={name}
          removeLabel={`Remove filter ${words}`}
          onRemove={() => onChange({ [name]: undefined })}
        >
          {words}
        </Chip>
      ))}
      {active.length > 1 && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => onChange(Object.fromEntries(active.map(({ name }) => [name, undefined])))}
        >
          Clear all
        </Button>
      )}
    </div>
  );
}
