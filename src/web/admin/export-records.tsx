import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { type ExportName, exportNames, exports, exportsApi } from '#domain/admin/exports-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { useCsvDownload } from '#web/app/api/csv-download.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PeriodFilter } from '#web/ui/form/period-filter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';

/** The first and last day of the previous month in London. */
function lastMonth(): { from: string; to: string } {
  const firstOfThis = `${wallTimeOf(Date.now()).date.slice(0, 7)}-01`;
  const to = addDays(firstOfThis, -1);
  return { from: `${to.slice(0, 7)}-01`, to };
}

/** Exports the bookings, payments or payruns of a period for bookkeeping; the previous month by default. */
export function ExportRecords() {
  const [records, setRecords] = useState<ExportName>('bookings');
  const [{ from, to }, setPeriod] = useState<{ from: string | undefined; to: string | undefined }>(lastMonth);
  const { download, isPending } = useCsvDownload(exportsApi.exportRecords);
  function submit() {
    if (from && to) download({ records, from, to });
    else toastError('Choose the first and the last day.');
  }
  return (
    <Section
      title="Exports"
      description="CSV files for bookkeeping, with a row for each booking. A file can cover up to a year."
    >
      <div className="flex flex-wrap items-end gap-x-3 gap-y-4">
        <FormField label="Records" className="w-full sm:w-56">
          <Select value={records} onChange={({ target }) => setRecords(target.value as ExportName)}>
            {exportNames.map((name) => (
              <option key={name} value={name}>
                {exports[name].label}
              </option>
            ))}
          </Select>
        </FormField>
        <PeriodFilter label={exports[records].dateLabel} from={from} to={to} onChange={setPeriod} />
        <Button variant="secondary" onClick={submit} isLoading={isPending} loadingText="Preparing...">
          <Download aria-hidden />
          Export CSV
        </Button>
      </div>
    </Section>
  );
}
