import { isSameContent } from '#domain/catalogue/lesson-content.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import type { JobPayloads } from '#domain/jobs.ts';
import { isSameTime } from '#domain/time.ts';
import type { BookingNotice } from '../queries.ts';

type StillApplies<Part> = (data: BookingNotice, to: Part) => boolean;

/** Whether a booking is still in the state that a change by the coach led to. A later change has its own message. */
export const stillApplies: {
  moved: StillApplies<JobPayloads['bookings.moved']['to']>;
  changed: StillApplies<JobPayloads['bookings.changed']['to']>;
  relocated: StillApplies<JobPayloads['bookings.relocated']['to']>;
} = {
  moved: ({ booking }, to) => isSameTime(booking, to),
  changed: ({ booking }, to) => booking.changedTo !== null && isSameContent(booking.changedTo, to),
  relocated: ({ booking }, to) => isSameLocation(booking.location, to),
};
