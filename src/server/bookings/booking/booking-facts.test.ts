import { expect, test } from 'vitest';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { createFactsReader } from './booking-facts.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

test.each([1, 3])('reuses the query plan when reading the slots to book (slots: %i)', async (seats) => {
  const customer = await app.signIn('customer');
  const slotIds = await Promise.all(Array.from({ length: seats }, () => club.publish()));
  const pool = openPool(app.databaseUrl, { size: 1 });
  const db = openDatabase(pool);
  try {
    const read = createFactsReader(db);
    const person = { userId: customer.userId, participantId: customer.userId, ipAddress: '192.0.2.1' };
    for (let call = 0; call < 10; call++) {
      const facts = await Promise.all(slotIds.map((slotId) => read({ slotId, ...person })));
      expect(facts.map((slot) => slot?.isOpen)).toEqual(slotIds.map(() => true));
    }
    const { rows } = await pool.query<{ custom: number; kept: number }>(
      `select custom_plans::int as custom, generic_plans::int as kept
       from pg_prepared_statements where statement like '%is_own_hold_over%'`,
    );
    // PostgreSQL first makes five custom plans, to compare their cost with that of a generic plan.
    expect(rows).toEqual([{ custom: 5, kept: 5 }]);
  } finally {
    await db.destroy();
  }
});
