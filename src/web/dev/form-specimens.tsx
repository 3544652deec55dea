import Search from 'lucide-react/icons/search';
import { useState } from 'react';
import { Section } from '#web/ui/card.tsx';
import { BirthDateInput } from '#web/ui/form/birth-date-input.tsx';
import { Checkbox, CheckboxField } from '#web/ui/form/checkbox.tsx';
import { CheckboxGroup } from '#web/ui/form/checkbox-group.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { DatePicker, MultiDatePicker } from '#web/ui/form/date-picker.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { PeriodFilter } from '#web/ui/form/period-filter.tsx';
import { PoundsInput } from '#web/ui/form/pounds-input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { WeekdayToggle } from '#web/ui/form/toggle-group.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { WaitNotice } from '#web/ui/form/wait-notice.tsx';
import { Specimen } from './specimen.tsx';

const columns = 'grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-3';

function TextSpecimens() {
  const [reason, setReason] = useState('');
  return (
    <div className={columns}>
      <ReasonField hint="We'll email the reason to the customer." value={reason} onValueChange={setReason} />
      <FormField label="Full name">
        <Input autoComplete="name" placeholder="As your coach will see it" />
      </FormField>
      <FormField label="Email" hint="We send booking confirmations here.">
        <Input type="email" defaultValue="priya@example.org" />
      </FormField>
      <FormField
        label="Sort code"
        error="A sort code has six digits, like 20-00-00."
        hint="You'll find it on your card."
      >
        <Input defaultValue="20-0" inputMode="numeric" />
      </FormField>
      <FormField label="Price" isOptional>
        <PoundsInput defaultCents={4500} onCentsChange={() => {}} className="max-w-40" />
      </FormField>
      <FormField label="Duration">
        <Input type="number" trailing="minutes" defaultValue={60} />
      </FormField>
      <FormField label="Search" isLabelHidden>
        <Input type="search" leading={<Search />} placeholder="Sport, coach or town" />
      </FormField>
      <FormField label="Account holder" hint="Change it in your bank details.">
        <Input readOnly defaultValue="Okafor Tennis Ltd" />
      </FormField>
      <FormField label="Country">
        <Input disabled defaultValue="GB" />
      </FormField>
      <FormField label="Lesson type">
        <Select defaultValue="group">
          <option value="individual">Individual</option>
          <option value="group">Group</option>
        </Select>
      </FormField>
      <FormField label="What to bring" className="sm:col-span-2">
        <Textarea defaultValue="A racket if you have one, water and trainers with a light sole." />
      </FormField>
      <FormField label="Town" error="Choose the town where you coach.">
        <Select defaultValue="">
          <option value="">Choose a town</option>
          <option>Leeds</option>
        </Select>
      </FormField>
    </div>
  );
}

function ChoiceSpecimens() {
  const [view, setView] = useState('week');
  const [recipient, setRecipient] = useState('individual');
  const [days, setDays] = useState<number[]>([2, 4]);
  const [people, setPeople] = useState(['me']);
  return (
    <div className={columns}>
      <FormField label="View" isGroup>
        <SegmentedControl
          value={view}
          onValueChange={setView}
          options={[
            { value: 'day', label: 'Day' },
            { value: 'week', label: 'Week' },
            { value: 'month', label: 'Month', isDisabled: true },
          ]}
        />
      </FormField>
      <FormField label="Weekdays" isGroup error={days.length ? undefined : 'Choose at least one weekday.'}>
        <WeekdayToggle value={days} onValueChange={setDays} />
      </FormField>
      <FormField label="Who is it for?" isGroup>
        <CheckboxGroup
          value={people}
          onValueChange={setPeople}
          options={[
            { value: 'me', label: 'Me' },
            { value: 'mia', label: 'Mia Morgan', hint: 'Age 10' },
            { value: 'leo', label: 'Leo Morgan', hint: 'Already booked', isDisabled: true },
          ]}
        />
      </FormField>
      <FormField label="Paid to" isGroup>
        <RadioGroup
          value={recipient}
          onValueChange={setRecipient}
          options={[
            { value: 'individual', label: 'Individual', hint: "A person's own account" },
            { value: 'business', label: 'Business', hint: 'The account of a company or club' },
            { value: 'charity', label: 'Charity', isDisabled: true },
          ]}
        />
      </FormField>
      <div>
        <CheckboxField label="Email me a day before each lesson" defaultChecked />
        <CheckboxField label="Show my phone number" hint="Only to people who have booked." />
        <CheckboxField label="Not available yet" disabled />
        <div className="flex gap-4 py-2">
          <Checkbox aria-label="Select every booking" isIndeterminate />
          <Checkbox aria-label="Select this booking" defaultChecked />
          <Checkbox aria-label="Select a paid booking" disabled defaultChecked />
        </div>
      </div>
      <div className="divide-y">
        <Switch label="Platform fee" hint="Deducted from the coach's payout." defaultChecked />
        <Switch label="Booking open" />
        <Switch label="Payouts" hint="Add your bank details first." disabled />
      </div>
    </div>
  );
}

const towns = [
  { value: 'leeds', label: 'Leeds' },
  { value: 'leeds-kent', label: 'Leeds', hint: 'Kent' },
];

/** Controls that filter a list; each change updates the list. */
function FilterSpecimens() {
  const [search, setSearch] = useState<string>();
  const [town, setTown] = useState('');
  const [period, setPeriod] = useState<{ from: string | undefined; to: string | undefined }>({
    from: '2026-11-01',
    to: undefined,
  });
  return (
    <div className={columns}>
      <TypedFilter
        label="Search by name"
        maxLength={100}
        isLabelHidden={false}
        value={search}
        onSettled={setSearch}
      />
      <FormField label="Town">
        <Combobox
          typed={town}
          onTyped={setTown}
          options={towns.filter(({ label }) => label.toLowerCase().startsWith(town.toLowerCase()))}
          message={null}
          onChoose={({ label }) => setTown(label)}
          onLeave={() => {}}
          placeholder="Any town"
        />
      </FormField>
      <PeriodFilter label="Changed" {...period} onChange={setPeriod} />
    </div>
  );
}

/** The form controls in their states. */
export function FormSpecimens() {
  const [date, setDate] = useState<string | null>(null);
  const [dates, setDates] = useState<string[]>([]);
  const [birthDate, setBirthDate] = useState('2016-05-28');
  const [retryAt] = useState(() => Date.now() + 3_600_000);
  return (
    <Section
      title="Forms"
      description="Each control takes its label, hint and error from the field around it."
    >
      <Specimen name="Text and select">
        <TextSpecimens />
      </Specimen>
      <Specimen name="Choices">
        <ChoiceSpecimens />
      </Specimen>
      <Specimen name="Filters">
        <FilterSpecimens />
      </Specimen>
      <Specimen name="Too many attempts">
        <WaitNotice wait={{ message: 'Too many attempts. Please wait.', retryAt }} />
      </Specimen>
      <Specimen name="Dates">
        <div className={columns}>
          <FormField label="Date">
            <DatePicker value={date} onValueChange={setDate} />
          </FormField>
          <FormField label="First lesson" error="Choose a date in the future.">
            <DatePicker value="2027-03-28" onValueChange={() => {}} />
          </FormField>
          <FormField label="Lesson dates" isGroup hint={`${dates.length} chosen`}>
            <MultiDatePicker value={dates} onValueChange={setDates} />
          </FormField>
          <FormField label="Date of birth" isGroup>
            <BirthDateInput value={birthDate} onValueChange={setBirthDate} />
          </FormField>
          <FormField
            label="Date of birth"
            isGroup
            error="Enter the year of birth with four digits, like 2016."
          >
            <BirthDateInput value="0016-05-28" onValueChange={() => {}} />
          </FormField>
        </div>
      </Specimen>
    </Section>
  );
}
