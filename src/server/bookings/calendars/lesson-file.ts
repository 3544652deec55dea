import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { type CalendarEvent, writeEvent } from './calendar-file.ts';
import { findBookedEvent, findGivenEvent } from './lesson-events.ts';
import { organizerOf } from './organizer.ts';

type FileParts = { db: Database; config: Pick<Config, 'publicUrl' | 'email'> };
type CalendarFile = { fileName: string; ics: string };

/**
 * A booking that this person made or that is for one of their dependants, as a file; throws `not_found` for any other
 * booking, and for a pending or released one.
 */
export async function getBookingFile(parts: FileParts, userId: string, bookingId: string) {
  const { publicUrl } = parts.config;
  const event = await findBookedEvent(parts.db, { userId, publicUrl, bookingId });
  if (!event) throw new AppError('not_found', 'Booking not found.');
  return writeFile(parts, event);
}

/** A coach's own lesson as a file; throws `not_found` for another coach's lesson. */
export async function getSlotFile(parts: FileParts, userId: string, slotId: string) {
  const { publicUrl } = parts.config;
  const event = await findGivenEvent(parts.db, { userId, publicUrl, slotId });
  if (!event) throw new AppError('not_found', 'Lesson not found.');
  return writeFile(parts, event);
}

async function writeFile({ db, config }: FileParts, event: CalendarEvent): Promise<CalendarFile> {
  const organizer = organizerOf(config, await readBrand(db));
  return { fileName: 'lesson.ics', ics: writeEvent(event, { method: 'PUBLISH', organizer }) };
}
