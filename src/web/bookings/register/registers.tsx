import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { registerWindowOf } from '#domain/bookings/register.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { type CoachSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { addDays, formatDay, formatTime, formatTimes, wallTimeOf } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Section } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { listCopies, type Register, type RegisterCopy } from './register-copies.ts';

/**
 * The lessons whose registers can be opened now: the coach's own and the team's or, if the server can't be reached,
 * those stored on this device.
 */
export default function RegistersScreen() {
  const copies = listCopies(Date.now());
  return (
    <AreaGate area="coach" isOpen={copies.length > 0}>
      <PersonalPage>
        <div className="w-full max-w-2xl">
          <h1>Registers</h1>
          <p className="mt-2 mb-6 max-w-reading text-muted-foreground">
            See who is coming, whom to call and what to know, from 7 days before a lesson until 24 hours after
            it. Once you've opened a register on the day, it also opens without a connection.
          </p>
          <RegisterLists copies={copies} />
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

type RegisteredLesson = Register['lesson'];
type OwnSlot = Pick<CoachSlot, 'slotId' | 'title' | 'startTime' | 'endTime' | 'location' | 'bookedCount'>;

/**
 * Whether one of the coach's own lessons is booked and its register can be opened at `now` (ms since 1970).
 */
function hasRegister(slot: CoachSlot, now: number): boolean {
  const { from, until } = registerWindowOf(slot);
  const isInWindow = Date.parse(from) <= now && now <= Date.parse(until);
  return slot.status !== 'cancelled' && slot.bookedCount > 0 && isInWindow;
}

function RegisterLists({ copies }: { copies: RegisterCopy[] }) {
  const { user, isCoach, isProfileUnreachable, loading } = useAuth();
  const today = wallTimeOf(Date.now()).date;
  const own = useApi(
    slotsApi.listCoachSlots,
    { from: addDays(today, -2), to: addDays(today, 8) },
    { enabled: isCoach },
  );
  const team = useApi(registerApi.listOfTeam, {}, { enabled: isCoach });
  const both = {
    data: own.data && team.data && { own: own.data.slots, team: team.data.lessons },
    error: own.error ?? team.error,
    isFetching: own.isFetching || team.isFetching,
    refetch: () => {
      for (const query of [own, team]) if (query.isError) void query.refetch();
    },
  };
  // Without a connection, the session and the roles may be unknown, and only the copies can be opened.
  const isUnreachable = both.error?.code === 'unavailable' || isProfileUnreachable || (!user && !loading);
  if (!both.data && copies.length > 0 && isUnreachable) return <KeptRegisters copies={copies} />;
  return (
    <QueryView
      query={both}
      failure="Failed to load the registers"
      skeleton={<SkeletonRows label="Loading the registers..." />}
    >
      {(lessons) => {
        const ownLessons = lessons.own.filter((slot) => hasRegister(slot, Date.now()));
        if (ownLessons.length === 0 && lessons.team.length === 0) {
          return (
            <EmptyState title="No registers right now">
              Booked lessons appear here from 7 days before they start.
            </EmptyState>
          );
        }
        return (
          <>
            {ownLessons.length > 0 && (
              <Section title="Your lessons">
                <Lessons lessons={ownLessons} />
              </Section>
            )}
            {lessons.team.length > 0 && (
              <Section
                title="Your team's lessons"
                description="Owners and welfare officers can open these registers. Families can see who did."
              >
                <Lessons lessons={lessons.team} />
              </Section>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function KeptRegisters({ copies }: { copies: RegisterCopy[] }) {
  return (
    <Section
      title="On this device"
      description="We can't reach the server, but you can still open these registers."
    >
      <ul className="divide-y border-y">
        {copies.map(({ savedAt, register: { lesson } }) => (
          <LessonLink
            key={lesson.slotId}
            lesson={lesson}
            note={`As of ${formatDay(savedAt, Date.now())}, ${formatTime(savedAt)}`}
          />
        ))}
      </ul>
    </Section>
  );
}

function Lessons({ lessons }: { lessons: (OwnSlot | RegisteredLesson)[] }) {
  return (
    <ul className="divide-y border-y">
      {lessons.map((lesson) => (
        <LessonLink
          key={lesson.slotId}
          lesson={lesson}
          note={'coachName' in lesson ? `with ${lesson.coachName}` : `${lesson.bookedCount} booked`}
        />
      ))}
    </ul>
  );
}

function LessonLink({ lesson, note }: { lesson: Omit<OwnSlot, 'bookedCount'>; note: string }) {
  const { slotId, title, startTime, endTime, location } = lesson;
  return (
    <li className="relative flex items-center gap-4 py-4 hover:bg-muted/60 max-md:-mx-4 max-md:px-4 md:-mx-3 md:px-3">
      <p className="w-24 shrink-0 tabular-nums">
        <span className="block font-semibold">{formatTimes(startTime, endTime)}</span>
        <span className="text-sm text-muted-foreground">{formatDay(startTime, Date.now())}</span>
      </p>
      <div className="min-w-0 grow">
        <h3 className="text-base leading-snug font-medium wrap-anywhere">
          <Link
            to="/coach/registers/$slotId"
            params={{ slotId }}
            className="before:absolute before:inset-0 hover:underline"
          >
            {title}
          </Link>
        </h3>
        <p className="mt-0.5 text-sm text-muted-foreground tabular-nums">
          {note}
          {location && ` · ${location.name}, ${location.city}`}
        </p>
      </div>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </li>
  );
}
