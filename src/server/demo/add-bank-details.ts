import { encryptBankNumbers } from '#server/payouts/bank-details.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { demoAccounts, demoCoaches } from './demo-coaches.ts';
import { at, clubAgeDays, demoId } from './plan-demo.ts';

const day = 86_400_000;

/** Adds the demo coaches' bank details. Two coaches have none yet, so that the admin pages show this case too. */
export async function addBankDetails(tx: Tx, dataKeys: DataKeys, now: number): Promise<void> {
  const { sortCode, accountNumbers } = demoAccounts;
  const rows = demoCoaches.flatMap(({ fullName }, index) => {
    const accountNumber = accountNumbers[index];
    if (!accountNumber) return [];
    const coachId = demoId('coach', index);
    const savedAt = at(now - (clubAgeDays - 10 - index) * day);
    return {
      coachId,
      accountName: `Demo ${fullName}`,
      ...encryptBankNumbers(dataKeys, coachId, { sortCode, accountNumber }),
      createdAt: savedAt,
      updatedAt: savedAt,
    };
  });
  await tx.insertInto('coachBankDetails').values(rows).execute();
}
