import type { BookingStatus } from './rules.ts';

/** The booking statuses that a coach sees. Unpaid bookings (`pending`, `released`) are left out. */
export const attendeeStatuses = [
  'booked',
  'attended',
  'cancelled',
  'refunded',
] as const satisfies BookingStatus[];

/** An attendee's name as coaches see it. */
export const nameAttendee = (fullName: string | null): string => fullName || 'Anonymous';

type Attendance = { status: BookingStatus; attended: boolean | null };

/** A booking's status, or `absent`, which is an attendance mark rather than a status. */
export type AttendeeStatus = BookingStatus | 'absent';

const labels: Record<AttendeeStatus, string> = {
  pending: 'Payment under way',
  booked: 'Booked',
  attended: 'Completed',
  absent: 'Absent',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  released: 'Not paid',
};

/**
 * Whether attendance can be marked. Only people with an active booking can attend or be absent; `refuseMarkAttendance`
 * refuses everyone else.
 */
export const isMarkable = ({ status }: Pick<Attendance, 'status'>): boolean =>
  status === 'booked' || status === 'attended';

/**
 * An attendee's status and its label, as coaches, admins and banks see them. The customers' labels are in
 * web/bookings/my-bookings/booking-status.tsx.
 */
export function describeAttendee(attendee: Attendance): { status: AttendeeStatus; label: string } {
  const isAbsent = attendee.attended === false && isMarkable(attendee);
  const status = isAbsent ? 'absent' : attendee.status;
  return { status, label: labels[status] };
}
