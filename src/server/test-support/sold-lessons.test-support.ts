import { payoutsApi } from '#domain/payouts/contract.ts';
import { outputOf, type Someone } from './contract-client.test-support.ts';
import { addTemplate, writeSales } from './lessons.test-support.ts';
import type { TestApp } from './test-app.test-support.ts';

/** A bank account whose sort code and number match. */
export const bankAccount = { accountName: 'Ana Souza', sortCode: '089999', accountNumber: '66374958' };

/** A coach who has saved bank details. */
export async function addPayableCoach(app: TestApp): Promise<Someone> {
  const coach = await app.signIn('coach');
  await outputOf(app.call(coach, payoutsApi.saveBankDetails, bankAccount));
  return coach;
}

/**
 * Inserts half-hour lessons sold at £50 with a fee of £1, and their ledger entries. The first lesson ended at `endedAt`
 * (milliseconds), and each further lesson an hour earlier. Returns the bookings' ids in that order.
 */
export async function writeSoldLessons(
  app: TestApp,
  coach: Someone,
  { count, endedAt }: { count: number; endedAt: number },
): Promise<string[]> {
  const customer = await app.signIn('customer');
  const coachId = coach.userId;
  const more = { title: 'Match play', durationMinutes: 30, isIndividual: true };
  const templateId = await addTemplate(app.db, coachId, more);
  const sold = { coachId, templateId, minutes: 30, priceCents: 5000, feeCents: 100 };
  const sales = Array.from({ length: count }, (_, index) => ({
    ...sold,
    startMs: endedAt - index * 3_600_000 - 30 * 60_000,
  }));
  return writeSales(app.db, customer.userId, sales);
}
