import { addDays, addMonths, wallTimeOf } from '#domain/time.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { encryptDocumentNumber } from '#server/verification/documents/document-numbers.ts';
import { demoCoaches } from './demo-coaches.ts';
import { at, demoId } from './plan-demo.ts';

const day = 86_400_000;

/**
 * Coaches by their position in the list: one whose insurance ends soon, one who is waiting for an admin, one who is
 * hidden.
 */
const ending = 1;
const waiting = 2;
const hidden = demoCoaches.length - 1;

/**
 * Adds the checks and documents of the demo coaches. All have what the club requires, except the last: that coach's
 * insurance ended last week, so the lessons can't be found. None of the documents has a file.
 */
export async function addDocuments(tx: Tx, dataKeys: DataKeys, now: number): Promise<void> {
  const today = wallTimeOf(now).date;
  const rows = demoCoaches.flatMap((_, coach) => {
    const coachId = demoId('coach', coach);
    const numbered = (name: string, number: string) => {
      const documentId = demoId(`document ${name}`, coach);
      return { documentId, coachId, numberEncrypted: encryptDocumentNumber(dataKeys, documentId, number) };
    };
    const seen = (daysAgo: number) => ({
      ...{ status: 'accepted' as const, checkedBy: demoId('admin', 0), checkedAt: at(now - daysAgo * day) },
      submittedAt: at(now - (daysAgo + 2) * day),
    });
    const issuedOn = addMonths(today, -5 - coach);
    const insuranceEnds = { [ending]: addDays(today, 21), [hidden]: addDays(today, -7) }[coach];
    const check = {
      ...{ ...numbered('check', `0016${String(10_000_000 + coach)}`), ...seen(90 - coach) },
      ...{
        kind: 'criminal_record_check' as const,
        scheme: 'dbs' as const,
        level: 'enhanced_barred' as const,
      },
      ...{ workforce: 'child' as const, method: 'original_in_person' as const },
      ...{ issuedOn, recheckOn: addMonths(issuedOn, 36) },
    };
    const others = [
      ['safeguarding', 'Sample Safeguarding', addMonths(issuedOn, 36)],
      ['insurance', 'Sample Mutual', insuranceEnds ?? addMonths(today, 10)],
      ...(coach % 3 === 0 ? ([['first_aid', 'Sample First Aid', addMonths(issuedOn, 36)]] as const) : []),
      ...(coach % 2 === 0 ? ([['licence', 'Sample Governing Body', addMonths(issuedOn, 24)]] as const) : []),
    ] as const;
    return [
      check,
      ...others.map(([kind, issuer, validUntil]) => ({
        ...{ ...numbered(kind, `S-${4_000 + coach}`), ...seen(80 - coach), kind, issuer },
        ...{ method: 'original_by_video' as const, issuedOn, validUntil },
      })),
      ...(coach === waiting
        ? [
            {
              ...{ ...numbered('waiting', 'S-9001'), kind: 'first_aid' as const, issuer: 'Sample First Aid' },
              ...{ status: 'submitted' as const, submittedAt: at(now - 2 * day) },
              ...{ issuedOn: addDays(today, -10), validUntil: addMonths(today, 35) },
            },
          ]
        : []),
    ];
  });
  for (const row of rows) await tx.insertInto('coachDocuments').values(row).execute();
}
