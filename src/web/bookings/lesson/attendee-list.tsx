import {
  type AttendeeStatus,
  describeAttendee,
  isMarkable,
  nameAttendee,
} from '#domain/bookings/attendee-status.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { describePhotos, nameWithKnownAs } from '../register/register-text.ts';
import { AttendanceButtons, AttendanceCount } from './attendance-marks.tsx';
import { useHasStarted, useMarkAttendance } from './use-mark-attendance.ts';

type Attendee = OutputOf<typeof lessonsApi.listAttendees>['attendees'][number];

const tones = {
  pending: 'warning',
  booked: 'primary',
  attended: 'success',
  absent: 'warning',
  cancelled: 'neutral',
  refunded: 'neutral',
  released: 'neutral',
} as const satisfies Record<AttendeeStatus, string>;

/**
 * Everyone who booked a lesson, including people who have cancelled. Once the lesson has started, the coach can mark
 * attendance.
 */
export function AttendeeList({ slot: { slotId, startTime, status } }: { slot: CoachSlot }) {
  const hasStarted = useHasStarted(startTime);
  const isBookable = status === 'scheduled' && !hasStarted;
  const mark = useMarkAttendance(slotId);
  const query = useApi(lessonsApi.listAttendees, { slotId });
  return (
    <QueryView
      query={query}
      failure="Failed to load attendees"
      skeleton={<SkeletonRows label="Loading attendees..." />}
      isEmpty={({ attendees }) => attendees.length === 0}
      empty={
        <EmptyState
          title={isBookable ? 'Nobody has booked yet' : 'Nobody booked this lesson'}
          className="py-6"
        >
          {isBookable && 'People who book this lesson will appear here with their email addresses.'}
        </EmptyState>
      }
    >
      {({ attendees }) => (
        <>
          {hasStarted && <AttendanceCount attendees={attendees} />}
          <ul className="divide-y border-y">
            {attendees.map((attendee) => (
              <AttendeeRow
                key={attendee.bookingId}
                attendee={attendee}
                onMark={
                  hasStarted && isMarkable(attendee)
                    ? (attended) => mark({ bookingId: attendee.bookingId, attended })
                    : undefined
                }
              />
            ))}
          </ul>
        </>
      )}
    </QueryView>
  );
}

type RowProps = { attendee: Attendee; onMark?: (attended: boolean | null) => void };

function AttendeeRow({ attendee, onMark }: RowProps) {
  const name = nameAttendee(attendee.fullName);
  const { status, label } = describeAttendee(attendee);
  const { age, knownAs, isDependant, bookedBy } = attendee;
  return (
    <li className="flex flex-wrap items-start gap-3 py-4">
      <Avatar name={name} src={attendee.avatarUrl} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{nameWithKnownAs({ fullName: name, knownAs })}</p>
        {age !== null && <p className="text-sm text-muted-foreground">Age {age}</p>}
        {isDependant && (
          <p className="text-sm text-muted-foreground">Parent or guardian: {bookedBy ?? 'Anonymous'}</p>
        )}
        {attendee.email && (
          <a
            href={`mailto:${attendee.email}`}
            className="inline-flex max-w-full items-center text-sm text-primary hover:underline touch:min-h-11"
          >
            <span className="truncate">{attendee.email}</span>
          </a>
        )}
        <p className="text-xs text-muted-foreground">Booked {formatDay(attendee.bookedAt, Date.now())}</p>
        {isMarkable(attendee) && <CareHints attendee={attendee} />}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1.5">
        <Money cents={attendee.amountCents} className="font-medium" />
        <StatusDot label={label} tone={tones[status]} />
      </div>
      {onMark && <AttendanceButtons name={name} attended={attendee.attended} onMark={onMark} />}
    </li>
  );
}

/** A hint at what the register contains: whether there are notes, and whether photos are allowed. */
function CareHints({ attendee: { hasNotes, photos, isDependant } }: { attendee: Attendee }) {
  const { label, isAllowed } = describePhotos(photos);
  // Most adults have never been asked about photos.
  const isPhotoShown = isDependant || isAllowed;
  if (!hasNotes && !isPhotoShown) return null;
  return (
    <p className="mt-2 flex flex-wrap gap-1.5">
      {hasNotes && <Badge tone="warning">Has notes</Badge>}
      {isPhotoShown && <Badge>{label}</Badge>}
    </p>
  );
}
