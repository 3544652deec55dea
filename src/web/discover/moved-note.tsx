import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { Filters } from '#domain/discover/filters.ts';
import { formatLessonTime } from '#domain/time.ts';
import { stillMatches } from './still-matches.ts';

type MovedNoteProps = { slot: OpenSlot; listed: OpenSlot; filters: Filters };

/** The previous time or location of a lesson that the coach moved; also says if it no longer matches the filters. */
export function MovedNote({ slot, listed, filters }: MovedNoteProps) {
  const previous = [
    ...(Date.parse(listed.startTime) === Date.parse(slot.startTime)
      ? []
      : [formatLessonTime(listed.startTime, listed.endTime, Date.now())]),
    ...(listed.location?.locationId === slot.location?.locationId ? [] : [describeLocation(listed)]),
  ];
  return (
    <p className="mt-2 text-sm text-warning">
      Moved from {previous.join(', ')}.{' '}
      {!stillMatches(slot, listed, filters) && 'This lesson no longer matches your filters.'}
    </p>
  );
}

const describeLocation = ({ location }: OpenSlot) =>
  location ? `${location.name}, ${location.city}` : 'a location to be agreed';
