import type { Person } from '#domain/access.ts';
import type { ExportName, exportsApi } from '#domain/admin/exports-contract.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { instantsOf } from '#domain/period.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { writeCsvBatches } from '#server/platform/csv.ts';
import type { Database } from '#server/platform/db/db.ts';
import { StreamedCsv } from '#server/platform/http/streamed-csv.ts';
import { readBookings } from './export-bookings.ts';
import { readPayments } from './export-payments.ts';
import { readPayruns } from './export-payruns.ts';
import type { Span } from './span.ts';

const parts: Record<ExportName, (db: Database, span: Span) => AsyncGenerator<string, void, void>> = {
  bookings: (db, span) => writeCsvBatches(...readBookings(db, span)),
  payments: (db, span) => writeCsvBatches(...readPayments(db, span)),
  payruns: (db, span) => writeCsvBatches(...readPayruns(db, span)),
};

/** Each running export occupies a connection of the pool. */
const mostAtOnce = 2;

/**
 * Returns the function that exports records of a period as a streamed CSV file. The export is in the audit log even if
 * the download is interrupted. The function throws `unavailable` while two exports of this process are running.
 */
export function createExporter(db: Database) {
  let running = 0;
  async function* counted(file: AsyncGenerator<string, void, void>) {
    try {
      yield* file;
    } finally {
      running -= 1;
    }
  }
  return async (
    admin: Person,
    { records, from, to }: ParsedInputOf<typeof exportsApi.exportRecords>,
  ): Promise<StreamedCsv> => {
    if (running >= mostAtOnce) {
      throw new AppError('unavailable', 'Other exports are running. Please try again in a minute.');
    }
    // Counted before anything is awaited, so that simultaneous calls see each other.
    running += 1;
    try {
      await db.transaction().execute((tx) =>
        recordAudit(tx, admin, {
          action: 'records.exported',
          subjectType: 'export',
          subjectId: records,
          after: { from, to },
        }),
      );
    } catch (error) {
      running -= 1;
      throw error;
    }
    const { since, until } = instantsOf({ from, to });
    return StreamedCsv.open(
      `${records}-${from}-to-${to}.csv`,
      counted(parts[records](db, { since: since!, until: until! })),
    );
  };
}
