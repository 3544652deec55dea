import { maxWeeks } from '#domain/catalogue/slot-plan.ts';
import type { PlainDate } from '#domain/time.ts';
import { DatePicker, MultiDatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { WeekdayToggle } from '#web/ui/form/toggle-group.tsx';
import { StartTimeField } from './start-time-field.tsx';

/** The dates in the form; `weeks` as typed. Dates and times are London time. */
export type SlotDates = {
  mode: 'dates' | 'weekly';
  startDate: PlainDate;
  hour: number;
  minute: number;
  additionalDates: readonly PlainDate[];
  weekdays: readonly number[];
  weeks: string;
};

type SlotDatesFieldsProps = {
  value: SlotDates;
  onValueChange: (change: Partial<SlotDates>) => void;
  /** Error messages, by the name of the plan's field. */
  errors: Record<string, string | undefined>;
};

/** The dates, time and repetition of the slots to create. */
export function SlotDatesFields({ value, onValueChange, errors }: SlotDatesFieldsProps) {
  return (
    <>
      <FormField label="When" isGroup>
        <SegmentedControl<SlotDates['mode']>
          value={value.mode}
          onValueChange={(mode) => onValueChange({ mode })}
          options={[
            { value: 'dates', label: 'Specific Dates' },
            { value: 'weekly', label: 'Weekly Repeat' },
          ]}
          className="flex w-full"
        />
      </FormField>
      <div className="grid gap-4 gap-y-5 sm:grid-cols-2">
        <FormField label="Start date" error={errors.startDate}>
          <DatePicker
            value={value.startDate}
            onValueChange={(startDate) => startDate && onValueChange({ startDate })}
          />
        </FormField>
        <StartTimeField
          label="Start time"
          hour={value.hour}
          minute={value.minute}
          onValueChange={onValueChange}
          error={errors.hour ?? errors.minute}
        />
      </div>
      {value.mode === 'dates' ? (
        <FormField label="Additional dates" isOptional isGroup error={errors.additionalDates}>
          <MultiDatePicker
            value={value.additionalDates}
            opensAt={value.startDate}
            onValueChange={(additionalDates) => onValueChange({ additionalDates })}
            className="w-fit rounded-lg border p-3"
          />
        </FormField>
      ) : (
        <>
          <FormField label="Repeat on" isGroup error={errors.weekdays}>
            <WeekdayToggle value={value.weekdays} onValueChange={(weekdays) => onValueChange({ weekdays })} />
          </FormField>
          <FormField
            label="Number of weeks"
            error={errors.weeks}
            hint={`1 to ${maxWeeks}, counting the week of the start date; blank means 1`}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={maxWeeks}
              className="w-28"
              value={value.weeks}
              onChange={(event) => onValueChange({ weeks: event.target.value })}
            />
          </FormField>
        </>
      )}
    </>
  );
}
