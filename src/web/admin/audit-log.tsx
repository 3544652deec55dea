import { type AuditKind, auditKinds, describeAction } from '#domain/admin/audit-labels.ts';
import { type AuditEntry, adminApi } from '#domain/admin/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { ExportButton } from '#web/app/api/csv-download.tsx';
import { usePages } from '#web/app/api/use-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { PeriodFilter } from '#web/ui/form/period-filter.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';

type AuditLogProps = {
  search: string | undefined;
  kind: AuditKind | undefined;
  /** `from` and `to`: the first and last London date of the events. */
  from: string | undefined;
  to: string | undefined;
  onFilter: (change: {
    about?: string | undefined;
    kind?: AuditKind | undefined;
    from?: string | undefined;
    to?: string | undefined;
  }) => void;
};

const kindNames: Record<AuditKind, string> = {
  people: 'People and roles',
  settings: 'Settings',
  payouts: 'Payouts',
  bookings: 'Bookings and payments',
  lessons: 'Lessons',
};

/** The audit log, newest first: who changed what and when, with the values before and after. */
export function AuditLog({ search, kind, from, to, onFilter }: AuditLogProps) {
  const filters = { search, kind, from, to };
  const isFiltered = Boolean(search || kind || from || to);
  const found = usePages(adminApi.listAudit, filters, (page) => page.entries, {
    // Refetches the log whenever it opens, so that it shows changes made in the panel's other tabs.
    staleTime: 0,
    keepsPrevious: true,
  });
  return (
    <Section
      title="Audit log"
      description="Shows who changed what, and when (London time). Entries can't be edited or deleted."
      actions={
        <ExportButton
          endpoint={adminApi.exportAudit}
          input={filters}
          // The export itself is recorded in the log.
          invalidates={[adminApi.listAudit]}
          describe={describeFile}
        />
      }
    >
      <search className="mb-4 grid gap-3 sm:grid-cols-[1fr_14rem]">
        <TypedFilter
          label="Search by person or ID"
          maxLength={100}
          isLabelHidden
          value={search}
          onSettled={(about) => onFilter({ about })}
        />
        <FormField label="Kind" isLabelHidden>
          <Select
            value={kind ?? ''}
            onChange={({ target }) => onFilter({ kind: auditKinds.find((known) => known === target.value) })}
          >
            <option value="">Everything</option>
            {auditKinds.map((known) => (
              <option key={known} value={known}>
                {kindNames[known]}
              </option>
            ))}
          </Select>
        </FormField>
        <div className="sm:col-span-2 sm:max-w-md">
          <PeriodFilter label="Changed" from={from} to={to} onChange={onFilter} />
        </div>
      </search>
      <PagedList
        found={found}
        skeleton={<SkeletonRows count={5} label="Loading the audit log..." />}
        failure="Failed to load the audit log"
        empty={
          <EmptyState
            title={isFiltered ? 'No entries match this search' : 'No changes yet'}
            action={
              isFiltered && (
                <Button
                  variant="secondary"
                  onClick={() =>
                    onFilter({ about: undefined, kind: undefined, from: undefined, to: undefined })
                  }
                >
                  Clear filters
                </Button>
              )
            }
          >
            {isFiltered
              ? 'Try part of a name or email address, or different dates.'
              : 'Changes made by admins, coaches and customers appear here.'}
          </EmptyState>
        }
        more="Show older entries"
      >
        {(entries) => (
          <Table label="Audit log" isStacked>
            <thead>
              <tr>
                <Th>When (London)</Th>
                <Th>Who</Th>
                <Th>What</Th>
                <Th>Before</Th>
                <Th>After</Th>
              </tr>
            </thead>
            <tbody className="[&_td]:align-top">
              {entries.map((entry) => (
                <AuditRow key={entry.auditId} entry={entry} />
              ))}
            </tbody>
          </Table>
        )}
      </PagedList>
    </Section>
  );
}

function describeFile({ fileName, entryCount, isCut }: OutputOf<typeof adminApi.exportAudit>): string {
  if (isCut)
    return `The file contains the newest ${entryCount.toLocaleString('en-GB')} entries. Choose earlier dates to export older entries.`;
  return `${fileName}: ${entryCount === 1 ? '1 entry' : `${entryCount} entries`}`;
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, system, action } = entry;
  return (
    <tr>
      <Td label="When (London)" className="whitespace-nowrap">
        {formatDay(at, Date.now())}, {formatTime(at)}
      </Td>
      <Td label="Who" className="wrap-anywhere">
        {actor ? actor.fullName || actor.email : `System: ${system}`}
      </Td>
      <Td label="What">
        <span className="min-w-0 max-md:text-right">
          <span className="block font-medium">{describeAction(action)}</span>
          <span className="block text-muted-foreground wrap-anywhere">{describeSubject(entry)}</span>
        </span>
      </Td>
      <Td label="Before">
        <Stored value={entry.before} />
      </Td>
      <Td label="After">
        <Stored value={entry.after} />
      </Td>
    </tr>
  );
}

/**
 * Names an entry's subject, such as "Carla Customer" or "Location: Riverside Park". A subject without a name
 * is named by its id.
 */
function describeSubject({ subject, subjectType, subjectName, subjectId }: AuditEntry): string {
  if (subject) return subject.fullName || subject.email;
  const kind = describeAction(subjectType);
  if (subjectId === subjectType) return kind;
  if (subjectName?.toLowerCase().startsWith(kind.toLowerCase())) return subjectName;
  return `${kind}: ${subjectName ?? subjectId.replaceAll('_', ' ')}`;
}

/** Writes a field's name as text: "refundCents" → "refund", "bookedCount" → "booked count". */
function nameField(name: string): string {
  return name.replace(/Cents$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function showHeld(name: string, held: unknown): string {
  if (name.endsWith('Cents') && typeof held === 'number') return formatPounds(held);
  if (typeof held === 'string') return held;
  if (Array.isArray(held) && held.every((one) => typeof one === 'string')) return held.join(', ') || 'none';
  return JSON.stringify(held);
}

/** A stored value, one line per field. */
function Stored({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="text-muted-foreground">–</span>;
  const fields: [string, unknown][] =
    typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [['', value]];
  return (
    <span className="min-w-0 text-xs max-md:text-right">
      {fields.map(([name, held]) => (
        <span key={name} className="block wrap-anywhere">
          {name && <span className="text-muted-foreground">{nameField(name)}: </span>}
          {showHeld(name, held)}
        </span>
      ))}
    </span>
  );
}
