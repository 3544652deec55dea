import type { z } from 'zod';
import { deniedMessages, type Person } from '#domain/access.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';

/**
 * Creates the route of a call about a coach's own money. Anyone who is or was a coach may make the call, because
 * earnings stay due after the role is lost (docs/decisions/0047). Everyone else gets `forbidden`.
 */
export function coachRecordRoute<In extends z.ZodType, Out extends z.ZodType>(
  db: Database,
  endpoint: Endpoint<In, Out, 'signedIn'>,
  handle: (input: z.output<In>, coach: Person) => Promise<z.input<Out>>,
): Route {
  return route(endpoint, async (input, person) => {
    await assertCoachRecord(db, person);
    return handle(input, person);
  });
}

async function assertCoachRecord(db: Database, { userId, roles }: Person): Promise<void> {
  if (roles.includes('coach')) return;
  const coach = await db
    .selectFrom('coaches')
    .select('coachId')
    .where('coachId', '=', userId)
    .executeTakeFirst();
  if (!coach) throw new AppError('forbidden', deniedMessages.coach);
}
