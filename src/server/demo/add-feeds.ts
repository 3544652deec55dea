import { feedScopes } from '#domain/bookings/calendar-rules.ts';
import { hashToken } from '#server/auth/sessions/open-session.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { coachId, customerId } from './add-people.ts';

/** The token of a demo account's calendar feed: publicly known, like the demo's password. */
const demoFeedToken = (scope: string): string => `demo-${scope}-calendar-`.padEnd(43, '0');

/** Adds the calendar feeds of the demo's coach and customer at the addresses that the README names. */
export async function addFeeds(tx: Tx): Promise<void> {
  const owners = { customer: customerId(0), coach: coachId(0) };
  await tx
    .insertInto('calendarFeeds')
    .values(
      feedScopes.map((scope) => ({
        scope,
        userId: owners[scope],
        tokenHash: hashToken(demoFeedToken(scope)),
      })),
    )
    .execute();
}
