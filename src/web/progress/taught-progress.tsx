import { Link, useParams } from '@tanstack/react-router';
import Plus from 'lucide-react/icons/plus';
import type { Goal } from '#domain/progress/progress-shapes.ts';
import type { GoalStatus } from '#domain/progress/rules.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { MoreButton } from '#web/ui/page/paged-list.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { ProgressSkeleton } from './family-progress.tsx';
import { GoalDialog } from './goal-dialog.tsx';
import { Goals, ProgressLessons, Skills } from './progress-parts.tsx';
import { ratingNames } from './rating-names.ts';

/** A participant's progress for a coach: goals, levels, and the coach's own lessons with all notes. */
export default function TaughtProgressScreen() {
  const { participantId } = useParams({ strict: false }) as { participantId: string };
  const found = usePages(skillsApi.getParticipant, { participantId }, (page) => page.lessons);
  const adding = useDialogItem<null>();
  return (
    <div className="w-full max-w-2xl">
      <BackLink to="/coach/calendar">Calendar</BackLink>
      <QueryView
        query={found}
        failure="Failed to load the progress"
        skeleton={<ProgressSkeleton />}
        missing={
          <EmptyState
            titleAs="h1"
            title="Not someone you teach"
            action={
              <Button asChild>
                <Link to="/coach/calendar">Back to calendar</Link>
              </Button>
            }
          >
            You can see the progress of people who have booked your lessons, until their family deletes their
            entry.
          </EmptyState>
        }
      >
        {({ pages }) => {
          const { name, goals, skills } = pages[0]!;
          const newest = found.items[0];
          return (
            <>
              <h1 className="mt-3 mb-8 wrap-anywhere">{name}: progress</h1>
              <Section
                title="Goals"
                description="The family sees these goals."
                actions={
                  newest && (
                    <Button variant="secondary" onClick={() => adding.open(null)}>
                      <Plus aria-hidden />
                      Add a goal
                    </Button>
                  )
                }
              >
                {goals.length === 0 ? (
                  <p className="text-sm text-muted-foreground">No goals yet.</p>
                ) : (
                  <Goals goals={goals} actionOf={(goal) => <GoalActions goal={goal} />} />
                )}
              </Section>
              {skills.length > 0 && <Skills skills={skills} />}
              <p className="pb-6 text-sm">
                <Link to="/coach/progress" className="text-primary underline underline-offset-4">
                  Change the list of skills
                </Link>
              </p>
              <Section title="Lessons" description="Your own lessons. Colleagues don't see your notes.">
                {found.items.length === 0 ? (
                  <EmptyState title="No lessons yet">Lessons appear here once they have started.</EmptyState>
                ) : (
                  <ProgressLessons
                    lessons={found.items}
                    footOf={({ slotId, answer }) => (
                      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                        {answer && (
                          <p className="min-w-0 text-sm wrap-anywhere">
                            <span className="text-muted-foreground">The family:</span> {answer.rating} of 5,{' '}
                            {ratingNames[answer.rating as 1].toLowerCase()}
                            {answer.body && <>. “{answer.body}”</>}
                          </p>
                        )}
                        <Button asChild variant="secondary" size="sm">
                          <Link to="/coach/registers/$slotId/notes" params={{ slotId }}>
                            Write notes
                          </Link>
                        </Button>
                      </div>
                    )}
                  />
                )}
                <MoreButton found={found} label="Show earlier lessons" />
              </Section>
              {newest && adding.openings > 0 && (
                <GoalDialog
                  key={adding.openings}
                  bookingId={newest.bookingId}
                  isOpen={adding.isOpen}
                  onClose={adding.close}
                />
              )}
            </>
          );
        }}
      </QueryView>
    </div>
  );
}

/** Marks a goal as reached or dropped, or reopens it. */
function GoalActions({ goal: { goalId, title, dueOn, status } }: { goal: Goal }) {
  const update = useApiMutation(skillsApi.updateGoal, { invalidates: [skillsApi.getParticipant] });
  const set = (next: GoalStatus) =>
    update.mutate({ goalId, title, dueOn, status: next }, { onError: (error) => toastError(error.message) });
  const button = (label: string, next: GoalStatus) => (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`${label}: ${title}`}
      disabled={update.isPending}
      onClick={() => set(next)}
    >
      {label}
    </Button>
  );
  if (status !== 'open') return button('Reopen', 'open');
  return (
    <span className="flex gap-2">
      {button('Reached', 'reached')}
      {button('Drop', 'dropped')}
    </span>
  );
}
