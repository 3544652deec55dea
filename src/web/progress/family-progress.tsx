import { Link, useParams } from '@tanstack/react-router';
import { progressApi } from '#domain/progress/contract.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { BackLink } from '#web/ui/page/back-link.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { MoreButton } from '#web/ui/page/paged-list.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton, SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { LessonAnswerForm } from './lesson-answer-form.tsx';
import { Goals, ProgressLessons, Skills } from './progress-parts.tsx';

/** A participant's progress for the family: goals, levels, and the lessons with the coaches' shared notes. */
export default function FamilyProgressScreen() {
  const { user, loading } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see your family." />;
  return (
    <PersonalPage isOfCustomer>
      <FamilyProgress />
    </PersonalPage>
  );
}

function FamilyProgress() {
  const { participantId } = useParams({ from: '/account/family/$participantId/progress' });
  const found = usePages(progressApi.get, { participantId }, (page) => page.lessons);
  return (
    <div className="w-full max-w-2xl">
      <BackLink to="/account/family/$participantId" params={{ participantId }}>
        Details
      </BackLink>
      <QueryView
        query={found}
        failure="Failed to load the progress"
        skeleton={<ProgressSkeleton />}
        missing={
          <EmptyState
            titleAs="h1"
            title="Not in your family list"
            action={
              <Button asChild variant="secondary">
                <Link to="/account/family">My family</Link>
              </Button>
            }
          >
            Someone may have deleted the entry, or it belongs to another account.
          </EmptyState>
        }
      >
        {({ pages }) => {
          const { name, goals, skills } = pages[0]!;
          return (
            <>
              <h1 className="mt-3 mb-8 wrap-anywhere">{name}: progress</h1>
              {goals.length > 0 && (
                <Section title="Goals">
                  <Goals goals={goals} />
                </Section>
              )}
              {skills.length > 0 && <Skills skills={skills} />}
              <Section
                title="Lessons"
                description="What coaches have written. You can say how a lesson went; only its coach sees your answer."
              >
                {found.items.length === 0 ? (
                  <EmptyState
                    title="No lessons yet"
                    action={
                      <Button asChild>
                        <Link to="/customer/discover">Find a lesson</Link>
                      </Button>
                    }
                  >
                    Lessons appear here with the coach's notes once they have started.
                  </EmptyState>
                ) : (
                  <ProgressLessons
                    lessons={found.items}
                    footOf={(lesson) => <LessonAnswerForm key={lesson.bookingId} lesson={lesson} />}
                  />
                )}
                <MoreButton found={found} label="Show earlier lessons" />
              </Section>
            </>
          );
        }}
      </QueryView>
    </div>
  );
}

/** A placeholder in the shape of a progress page. */
export function ProgressSkeleton() {
  return (
    <Loading label="Loading the progress..." className="mt-6 space-y-6">
      <Skeleton className="h-8 w-3/5" />
      <Skeleton className="h-24 w-full" />
      <SkeletonRows label="" />
    </Loading>
  );
}
