import { sql } from 'kysely';

/** SQL: whether a booking is for one of this person's dependants and is neither pending nor released. */
const isOfDependant = (userId: string) => sql<boolean>`(booking.participant_id <> booking.customer_user_id
  and booking.status not in ('pending', 'released')
  and booking.participant_id in (select participant_id from guardians where user_id = ${userId}::uuid))`;

/**
 * SQL: whether this person may see a booking (aliased `booking`): they are its customer, or {@link isOfDependant} is
 * true.
 */
export const isVisibleTo = (userId: string) =>
  sql<boolean>`(booking.customer_user_id = ${userId}::uuid or ${isOfDependant(userId)})`;
