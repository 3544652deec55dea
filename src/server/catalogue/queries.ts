import { sql } from 'kysely';
import type { Location } from '#domain/catalogue/contract.ts';
import { lessonMinutes } from '#domain/catalogue/rules.ts';
import type {
  CoachSlot,
  CoachSlotDetail,
  OpenSlot,
  SlotAvailability,
} from '#domain/catalogue/slots-contract.ts';
import { type LessonTemplate, lessonTemplate } from '#domain/catalogue/template.ts';
import { AppError } from '#domain/errors.ts';
import type { Sport } from '#domain/sports.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { coachPublicName } from '../businesses/coach-public-name.ts';
import { locationColumns, locationColumnsOf, locationObject, readLocation } from './location-columns.ts';
import {
  availabilityColumns,
  coachSlotColumns,
  coachSlotDetailColumns,
  openSlotColumns,
} from './slot-columns.ts';

const templateColumns = Object.keys(lessonTemplate.shape) as (keyof LessonTemplate)[];

/** SQL for the maximum length of a lesson. A lesson that started longer ago than this is over. */
export const longestLesson = sql.raw(`interval '${lessonMinutes.max} minutes'`);

/** A coach's templates that are not deleted, newest first. */
export async function listTemplates(db: Database, coachId: string): Promise<LessonTemplate[]> {
  const rows = await db
    .selectFrom('lessonTemplates')
    .select(templateColumns)
    .where('coachId', '=', coachId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('templateId')
    .execute();
  return rows.map((row) => ({ ...row, sport: row.sport as Sport }));
}

/** One of the coach's own templates; throws `not_found` for a deleted template or another coach's. */
export async function getTemplate(
  db: Database | Tx,
  coachId: string,
  templateId: string,
): Promise<LessonTemplate> {
  const row = await db
    .selectFrom('lessonTemplates')
    .select(templateColumns)
    .where('templateId', '=', templateId)
    .where('coachId', '=', coachId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'This lesson template no longer exists.');
  return { ...row, sport: row.sport as Sport };
}

/** A coach's locations that are not deleted, by name. */
export function listLocations(db: Database, coachId: string): Promise<Location[]> {
  return db
    .selectFrom('locations')
    .select(locationColumns)
    .where('coachId', '=', coachId)
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .orderBy('locationId')
    .execute();
}

/** One of the coach's own locations; throws `not_found` for a deleted location or another coach's. */
export async function getLocation(db: Database | Tx, coachId: string, locationId: string): Promise<Location> {
  const row = await db
    .selectFrom('locations')
    .select(locationColumns)
    .where('locationId', '=', locationId)
    .where('coachId', '=', coachId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'This location no longer exists.');
  return row;
}

/** Slots with their locations; the caller selects the other columns, such as {@link openSlotColumns}. */
const selectSlots = (db: Database | Tx) =>
  db
    .selectFrom('lessonSlots as s')
    .innerJoin('lessonTemplates as t', 't.templateId', 's.templateId')
    .leftJoin('locations as l', 'l.locationId', 's.locationId')
    .select(locationColumnsOf('l'));

const toSlot = <Row extends { sport: string } & Parameters<typeof readLocation>[0]>(row: Row) => ({
  ...row,
  sport: row.sport as Sport,
  location: readLocation(row),
});

/** Who takes part in an individual lesson; only its coach may see the name. */
const customerName = sql<string | null>`
  case when s.max_capacity = 1 and s.booked_count = 1 then (
    select name_of_participant(participant) from bookings booking
    join participants participant using (participant_id)
    where booking.slot_id = s.slot_id and booking.status in ('booked', 'attended')) end`.as('customerName');

/** The coach's slots that start between `from` (inclusive) and `until` (exclusive), in order of start. */
export async function listCoachSlots(
  db: Database | Tx,
  coachId: string,
  range: { from: string; until: string },
): Promise<CoachSlot[]> {
  const rows = await selectSlots(db)
    .select([...coachSlotColumns, customerName])
    .where('s.coachId', '=', coachId)
    .where('s.startTime', '>=', range.from)
    .where('s.startTime', '<', range.until)
    .orderBy('s.startTime')
    .orderBy('s.slotId')
    .execute();
  return rows.map(toSlot);
}

/** The coach's slots with these ids, in order of start. */
export async function listSlotsById(
  db: Database | Tx,
  coachId: string,
  slotIds: string[],
): Promise<CoachSlot[]> {
  const rows = await selectSlots(db)
    .select([...coachSlotColumns, customerName])
    .where('s.coachId', '=', coachId)
    .where('s.slotId', 'in', slotIds)
    .orderBy('s.startTime')
    .execute();
  return rows.map(toSlot);
}

/** One of the coach's own slots; throws `not_found` for any other slot. */
export async function getCoachSlot(db: Database, coachId: string, slotId: string): Promise<CoachSlotDetail> {
  const row = await selectSlots(db)
    .select([...coachSlotDetailColumns, customerName])
    .where('s.slotId', '=', slotId)
    .where('s.coachId', '=', coachId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Lesson not found.');
  return toSlot(row);
}

/**
 * One slot in any status, as customers see it. Throws `not_found` if the slot does not exist or its coach's account has
 * been deleted.
 */
export async function getOpenSlot(db: Database, slotId: string): Promise<OpenSlot> {
  const row = await selectSlots(db)
    .innerJoin('profiles as p', 'p.userId', 's.coachId')
    .select([
      ...openSlotColumns,
      coachPublicName('p').as('coachName'),
      'p.coachAddress',
      'p.avatarUrl as coachAvatarUrl',
    ])
    .where('s.slotId', '=', slotId)
    .where('p.deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Lesson not found.');
  return toSlot(row);
}

/** The availability of these slots, in any status and in no particular order. Unknown ids are left out. */
export function readAvailability(db: Database, slotIds: string[]): Promise<SlotAvailability[]> {
  return db
    .selectFrom('lessonSlots as s')
    .leftJoin('locations as l', 'l.locationId', 's.locationId')
    .select([...availabilityColumns, locationObject('l').as('location')])
    .where('s.slotId', '=', (eb) => eb.fn.any(eb.val(slotIds)))
    .execute();
}
