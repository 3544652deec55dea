import type { ReactNode } from 'react';
import type { Goal, ProgressLesson, SkillProgress } from '#domain/progress/progress-shapes.ts';
import { privateNoteText } from '#domain/progress/rules.ts';
import { sports } from '#domain/sports.ts';
import { formatDay, formatLessonTime } from '#domain/time.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/card.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';
import { LevelChart } from './level-chart.tsx';
import { NoteText } from './note-editor.tsx';

/** Goals in the given order, each with its state. `actionOf` is rendered beside each. */
export function Goals({ goals, actionOf }: { goals: readonly Goal[]; actionOf?: (goal: Goal) => ReactNode }) {
  const now = Date.now();
  return (
    <ul className="divide-y border-y">
      {goals.map((goal) => (
        <li key={goal.goalId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 grow basis-48">
            <p className="font-medium wrap-anywhere">{goal.title}</p>
            <p className="text-sm text-muted-foreground">
              {sports[goal.sport]} · {goal.coachName}
              {goal.dueOn && ` · by ${formatDay(`${goal.dueOn}T12:00:00Z`, now)}`}
            </p>
          </div>
          {goal.status !== 'open' && (
            <Badge tone={goal.status === 'reached' ? 'success' : 'neutral'}>
              {goal.status === 'reached' ? 'Reached' : 'Dropped'}
              {goal.decidedAt && ` ${formatDay(goal.decidedAt, now)}`}
            </Badge>
          )}
          {actionOf?.(goal)}
        </li>
      ))}
    </ul>
  );
}

/** A chart for each skill, by sport. */
export function Skills({ skills }: { skills: readonly SkillProgress[] }) {
  const known = [...new Set(skills.map(({ sport }) => sport))];
  return (
    <Section
      title="Levels"
      description="The coach's assessment at each lesson, from 1 (just started) to 5 (mastered)."
    >
      <div className="space-y-8">
        {known.map((sport) => (
          <div key={sport}>
            <h3 className="text-base">
              <SportName sport={sport} />
            </h3>
            <div className="mt-3 grid gap-x-10 gap-y-6 sm:grid-cols-2">
              {skills
                .filter((skill) => skill.sport === sport)
                .map((skill) => (
                  <LevelChart key={skill.name} skill={skill} />
                ))}
            </div>
          </div>
        ))}
      </div>
    </Section>
  );
}

/** Lessons, newest first, with their notes. `footOf` is rendered below each. */
export function ProgressLessons({
  lessons,
  footOf,
}: {
  lessons: readonly ProgressLesson[];
  footOf: (lesson: ProgressLesson) => ReactNode;
}) {
  const now = Date.now();
  return (
    <ol className="divide-y border-y">
      {lessons.map((lesson) => (
        <li key={lesson.bookingId} className="space-y-3 py-5">
          <div>
            <h3 className="text-base wrap-anywhere">{lesson.title}</h3>
            <p className="text-sm text-muted-foreground tabular-nums">
              {formatLessonTime(lesson.startTime, lesson.endTime, now)} · {lesson.coachName}
              {lesson.attended === false && ' · missed'}
            </p>
          </div>
          {lesson.notes.map((note) => (
            <div key={note.noteId}>
              {!note.isShared && (
                <p className="mb-1 flex flex-wrap items-center gap-2 text-xs text-muted-foreground">
                  <Badge>Private</Badge>
                  {privateNoteText}
                </p>
              )}
              {note.isForAll && (
                <p className="mb-1 text-xs text-muted-foreground">To everyone in the lesson</p>
              )}
              <NoteText note={note} />
            </div>
          ))}
          {footOf(lesson)}
        </li>
      ))}
    </ol>
  );
}
