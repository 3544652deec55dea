import { Link, useParams } from '@tanstack/react-router';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useState } from 'react';
import { notesApi } from '#domain/progress/notes-contract.ts';
import type { LessonNotes, NotedAttendee, Skill } from '#domain/progress/progress-shapes.ts';
import { levelNames } from '#domain/progress/rules.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { AreaGate } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { ConcernButton } from './concern-button.tsx';
import { NoteEditor } from './note-editor.tsx';
import type { NoteOutbox } from './note-outbox.ts';
import { NotePictures } from './note-pictures.tsx';
import { ratingNames } from './rating-names.ts';
import { ScaleField } from './scale-field.tsx';
import { useLessonNotes } from './use-lesson-notes.ts';
import { useNoteOutbox } from './use-note-outbox.ts';

/**
 * The notes of a lesson, which coaches write beside the pitch. Without a connection, the page shows the copy
 * on this device and sends changes later.
 */
export default function LessonNotesScreen() {
  const { slotId } = useParams({ from: '/coach/registers/$slotId/notes' });
  const { query, isKept, isUnreachable, hasNotes } = useLessonNotes(slotId);
  return (
    <AreaGate area="coach" isOpen={isKept}>
      <PersonalPage>
        <div className="w-full max-w-2xl">
          <QueryView
            query={query}
            failure="Failed to load the notes"
            skeleton={<NotesSkeleton />}
            missing={
              <EmptyState
                titleAs="h1"
                title="Lesson not found"
                action={
                  <Button asChild>
                    <Link to="/coach/calendar">Back to calendar</Link>
                  </Button>
                }
              >
                This lesson was deleted or isn't yours.
              </EmptyState>
            }
          >
            {(lesson) => (
              <Notes lesson={lesson} isKept={isKept}>
                {isUnreachable && (
                  <p role="status" className="mt-5 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning">
                    We can't reach the server. Keep writing: your notes stay on this device and are sent once
                    you're back online.{!hasNotes && " Notes that you wrote earlier aren't shown."}
                  </p>
                )}
              </Notes>
            )}
          </QueryView>
        </div>
      </PersonalPage>
    </AreaGate>
  );
}

type NotesProps = {
  lesson: LessonNotes;
  /** Whether the lesson comes from the copy on this device, without anything that needs the server. */
  isKept: boolean;
  /** Shown above the notes. */
  children: ReactNode;
};

function Notes({ lesson, isKept, children }: NotesProps) {
  const { slotId, title, startTime, endTime, isStarted, attendees, skills } = lesson;
  const { user } = useAuth();
  const outbox = useNoteOutbox(user?.id);
  const [openId, setOpenId] = useState<string | null>(
    attendees.length === 1 ? attendees[0]!.bookingId : null,
  );
  const present = attendees.filter(({ attended }) => attended !== false);
  // Newest first: someone who was marked as absent for a while may have an older text than the others.
  const forAll = present
    .flatMap(({ notes }) => notes.filter(({ isForAll }) => isForAll))
    .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  return (
    <>
      <BackLink to="/coach/lesson/$slotId" params={{ slotId }}>
        Lesson
      </BackLink>
      <h1 className="mt-3 wrap-anywhere">Notes: {title}</h1>
      <p className="mt-2 text-sm text-muted-foreground tabular-nums">
        {formatLessonTime(startTime, endTime, Date.now())}, London time
      </p>
      {children}
      {!isStarted ? (
        <EmptyState title="Not yet">You can write notes once the lesson has started.</EmptyState>
      ) : attendees.length === 0 ? (
        <EmptyState title="Nobody booked this lesson">There's nobody to write about.</EmptyState>
      ) : (
        outbox && (
          <ul className="mt-6 divide-y border-y">
            {present.length > 1 && (
              <Entry
                title="Everyone"
                mark={marksOf(forAll)}
                isOpen={openId === slotId}
                onToggle={() => setOpenId(openId === slotId ? null : slotId)}
              >
                <NoteEditor outbox={outbox} about="all" id={slotId} name="everyone" notes={forAll} />
              </Entry>
            )}
            {attendees.map((attendee) => (
              <Entry
                key={attendee.bookingId}
                title={attendee.knownAs ? `${attendee.fullName} (${attendee.knownAs})` : attendee.fullName}
                mark={
                  attendee.attended === false
                    ? 'Absent'
                    : marksOf(attendee.notes.filter((note) => !note.isForAll))
                }
                isOpen={openId === attendee.bookingId}
                onToggle={() => setOpenId(openId === attendee.bookingId ? null : attendee.bookingId)}
              >
                <About attendee={attendee} outbox={outbox} skills={skills} isKept={isKept} />
              </Entry>
            ))}
          </ul>
        )
      )}
    </>
  );
}

const marksOf = (notes: readonly { isShared: boolean }[]) =>
  [notes.some(({ isShared }) => isShared) && 'Shared', notes.some(({ isShared }) => !isShared) && 'Private']
    .filter(Boolean)
    .join(', ');

type EntryProps = { title: string; mark: string; isOpen: boolean; onToggle: () => void; children: ReactNode };

/** A row tall enough to tap with a thumb. It opens the notes about a person or everyone. */
function Entry({ title, mark, isOpen, onToggle, children }: EntryProps) {
  return (
    <li>
      <h2 className="text-base">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-14 w-full items-center gap-3 py-3 text-left font-medium hover:bg-muted/60"
        >
          <span className="min-w-0 grow wrap-anywhere">{title}</span>
          {mark && <Badge tone={mark === 'Absent' ? 'warning' : 'success'}>{mark}</Badge>}
          <ChevronDown
            aria-hidden
            className={`size-5 shrink-0 text-muted-foreground transition-transform ${isOpen ? 'rotate-180' : ''}`}
          />
        </button>
      </h2>
      {isOpen && <div className="pb-6">{children}</div>}
    </li>
  );
}

type AboutProps = { attendee: NotedAttendee; outbox: NoteOutbox; skills: readonly Skill[]; isKept: boolean };

function About({ attendee, outbox, skills, isKept }: AboutProps) {
  const { bookingId, participantId, fullName, attended, answer, notes, arePicturesAllowed } = attendee;
  return (
    <div className="space-y-5">
      {attended === false ? (
        <p className="text-sm text-muted-foreground">Marked as absent, so there's nothing to write.</p>
      ) : (
        <>
          <NoteEditor outbox={outbox} about="one" id={bookingId} name={fullName} notes={notes}>
            {(note) => !isKept && <NotePictures note={note} isAllowed={arePicturesAllowed} />}
          </NoteEditor>
          <Levels attendee={attendee} skills={skills} />
        </>
      )}
      {answer && (
        <p className="rounded-lg bg-muted px-4 py-3 text-sm">
          <span className="block font-medium">
            The family: {answer.rating} of 5, {ratingNames[answer.rating as 1].toLowerCase()}
          </span>
          {answer.body && <span className="wrap-anywhere">“{answer.body}”</span>}
        </p>
      )}
      {!isKept && (
        <p className="flex flex-wrap gap-2">
          <Button asChild variant="secondary" size="sm">
            <Link to="/coach/participants/$participantId" params={{ participantId }}>
              Progress and goals
            </Link>
          </Button>
          <ConcernButton bookingId={bookingId} name={fullName} />
        </p>
      )}
    </div>
  );
}

function Levels({ attendee, skills }: { attendee: NotedAttendee; skills: readonly Skill[] }) {
  if (skills.length === 0) return null;
  return (
    <div className="space-y-4">
      {skills.map((skill) => (
        <Level key={skill.skillId} attendee={attendee} skill={skill} />
      ))}
    </div>
  );
}

function Level({
  attendee: { bookingId, levels },
  skill: { skillId, name },
}: {
  attendee: NotedAttendee;
  skill: Skill;
}) {
  const assess = useApiMutation(skillsApi.assess, {
    invalidates: [notesApi.getOfLesson, skillsApi.getParticipant],
    queue: `levels-${bookingId}`,
  });
  // Set as soon as a level is pressed. If the value changed only after saving, the radio button would jump
  // back in between.
  const [pressed, setPressed] = useState<number | null>(null);
  function choose(level: number): void {
    setPressed(level);
    assess.mutate(
      { bookingId, skillId, level },
      { onError: (error) => toastError(error.message), onSettled: () => setPressed(null) },
    );
  }
  const saved = levels.find((level) => level.skillId === skillId)?.level ?? null;
  return <ScaleField label={name} names={levelNames} value={pressed ?? saved} onChange={choose} />;
}

function NotesSkeleton() {
  return (
    <Loading label="Loading the notes..." className="space-y-4">
      <Skeleton className="w-20" />
      <Skeleton className="h-8 w-3/5" />
      <SkeletonRows label="" />
    </Loading>
  );
}
