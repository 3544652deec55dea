import type { Person } from '#domain/access.ts';
import { describeAction } from '#domain/admin/audit-labels.ts';
import { type AuditEntry, type adminApi, longestAuditFile } from '#domain/admin/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { type CsvColumns, csvTime, datedCsvName, writeCsv } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { createAuditReader } from './list-audit.ts';

const pageSize = 500;

/**
 * Exports the newest audit events that match a filter as CSV, reading a page at a time. The export itself is audited,
 * without the search text, which may be a person's name.
 */
export async function exportAudit(
  db: Database,
  admin: Person,
  filter: ParsedInputOf<typeof adminApi.exportAudit>,
): Promise<OutputOf<typeof adminApi.exportAudit>> {
  const readPage = await createAuditReader(db, filter);
  const entries: AuditEntry[] = [];
  let cursor: number | undefined;
  do {
    const limit = Math.min(pageSize, longestAuditFile - entries.length);
    const page = await readPage({ cursor, limit });
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && entries.length < longestAuditFile);
  const { from, to, kind } = filter;
  await db.transaction().execute((tx) =>
    recordAudit(tx, admin, {
      action: 'audit_log.exported',
      subjectType: 'audit_log',
      subjectId: 'audit_log',
      after: { from, to, kind, entries: entries.length },
    }),
  );
  const file = writeCsv({ fileName: datedCsvName('audit-log'), columns, rows: entries });
  return { ...file, entryCount: entries.length, isCut: cursor !== undefined };
}

const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value));

const columns: CsvColumns<AuditEntry> = {
  london_time: ({ at }) => csvTime(at),
  who: ({ actor, system }) => actor?.fullName ?? `System: ${system}`,
  who_email: ({ actor }) => actor?.email ?? '',
  what: ({ action }) => describeAction(action),
  kind: ({ subjectType }) => subjectType.replaceAll('_', ' '),
  about: ({ subject, subjectName }) => (subject ? subject.fullName || subject.email : (subjectName ?? '')),
  about_id: ({ subjectId }) => subjectId,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
};
