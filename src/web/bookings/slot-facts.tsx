import MapPin from 'lucide-react/icons/map-pin';
import type { Location } from '#domain/catalogue/contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { formatLocation } from '#domain/location-text.ts';

export const isFull = (slot: Pick<OpenSlot, 'bookedCount' | 'maxCapacity'>) =>
  slot.bookedCount >= slot.maxCapacity;

/** Why a lesson can't be booked now; null if it can. */
export function bookingObstacle(slot: {
  status: string;
  startTime: string;
  bookedCount: number;
  maxCapacity: number;
}) {
  if (slot.status === 'cancelled') return 'Cancelled by the coach';
  if (slot.status !== 'scheduled' || Date.parse(slot.startTime) <= Date.now()) return 'Already started';
  return isFull(slot) ? 'Fully Booked' : null;
}

/** The location's town and name, or a note that the location is to be agreed with the coach. */
export function LocationLine({ slot }: { slot: Pick<OpenSlot, 'location'> }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <MapPin aria-hidden className="size-4 shrink-0" />
      <span className="truncate">
        {slot.location
          ? `${slot.location.city} · ${slot.location.name}`
          : 'Location to be agreed with the coach'}
      </span>
    </span>
  );
}

/** A link that opens a map of the location in a new tab; renders nothing if the location is not known. */
export function MapLink({ location }: { location: Location | null }) {
  if (!location) return null;
  // Phones can open this URL in the Google Maps app: https://developers.google.com/maps/documentation/urls/get-started
  const query = encodeURIComponent(formatLocation(location));
  return (
    <a
      href={`https://www.google.com/maps/search/?api=1&query=${query}`}
      target="_blank"
      rel="noopener noreferrer"
      className="whitespace-nowrap text-primary underline underline-offset-4"
    >
      Map<span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
