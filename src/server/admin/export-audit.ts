import { stringify } from 'csv-stringify/sync';
import type { Person } from '#domain/access.ts';
import { describeAction } from '#domain/admin/audit-labels.ts';
import { type AuditEntry, type adminApi, longestAuditFile } from '#domain/admin/contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { lessonTimeZone, wallTimeOf } from '#domain/time.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { createAuditReader } from './list-audit.ts';

const pageSize = 500;

/**
 * The newest audit events that match a filter, as CSV (UTF-8, CRLF), read a page at a time. Cells are escaped so that
 * spreadsheets take none for a formula. The export is audited itself, without the search text, which may be a
 * person's name.
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
  const csv = stringify(entries.map(toRow), {
    header: true,
    columns: ['london_time', 'who', 'who_email', 'what', 'kind', 'about', 'about_id', 'before', 'after'],
    record_delimiter: 'windows',
    // A cell that begins like a formula gets an apostrophe (OWASP, CSV injection).
    escape_formulas: true,
  });
  const fileName = `audit-log-${wallTimeOf(Date.now()).date}.csv`;
  return { fileName, csv, entryCount: entries.length, isCut: cursor !== undefined };
}

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: lessonTimeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value));

function toRow({
  at,
  actor,
  system,
  action,
  subjectType,
  subject,
  subjectName,
  subjectId,
  ...stored
}: AuditEntry) {
  return {
    london_time: clock.format(Date.parse(at)),
    who: actor?.fullName ?? `System: ${system}`,
    who_email: actor?.email ?? '',
    what: describeAction(action),
    kind: subjectType.replaceAll('_', ' '),
    about: subject ? subject.fullName || subject.email : (subjectName ?? ''),
    about_id: subjectId,
    before: json(stored.before),
    after: json(stored.after),
  };
}
