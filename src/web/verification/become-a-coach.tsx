import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay } from '#domain/time.ts';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useProduct } from '#web/app/api/product.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { ProfileUnreachable } from '#web/app/auth/gates.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { RecordSkeleton } from '#web/ui/page/record-page.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { ApplicationForm } from './application-form.tsx';
import { SubmittedApplication } from './submitted-application.tsx';
import { typedOf } from './use-application-draft.ts';

type Found = OutputOf<typeof applicationsApi.getOwn>;

/** The page for applying for the coach role: first the form, then the state of the application. */
export default function BecomeACoachScreen() {
  const { user, profile, loading, isCoach, isProfileUnreachable, refreshProfile } = useAuth();
  const query = useApi(applicationsApi.getOwn, {}, { enabled: user !== null, staleTime: 0 });
  const status = query.data?.application?.status;
  // The approval grants the role. The live update of the profile may arrive a moment later.
  useEffect(() => {
    if (status === 'approved' && !isCoach) void refreshProfile();
  }, [status, isCoach, refreshProfile]);
  if (loading) return <PageSpinner />;
  if (!user) return <SignInFirst />;
  if (isProfileUnreachable) return <ProfileUnreachable onRetry={refreshProfile} />;
  if (isCoach) return <CoachNow isApproved={status === 'approved'} />;
  return (
    <PersonalPage>
      <QueryView
        query={query}
        isPart
        failure="Failed to load your application"
        skeleton={<RecordSkeleton label="Loading your application..." />}
      >
        {(found) => <Application found={found} wasCoach={profile?.formerRoles.includes('coach') ?? false} />}
      </QueryView>
    </PersonalPage>
  );
}

function Application({ found, wasCoach }: { found: Found; wasCoach: boolean }) {
  const { application, joining } = found;
  switch (application?.status) {
    case 'submitted':
      return <SubmittedApplication application={application} />;
    case 'approved':
      return wasCoach ? <Closed application={application} /> : <PageSpinner />;
    case 'declined':
    case 'withdrawn':
      return <Closed application={application} />;
    default:
      return <ApplicationForm application={application} joining={joining} />;
  }
}

function SignInFirst() {
  const { brand } = useProduct();
  const search = { next: '/become-a-coach' };
  return (
    <Notice
      title="Become a coach"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button asChild>
            <Link to="/signup" search={search}>
              Create an account
            </Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to="/login" search={search}>
              Sign in
            </Link>
          </Button>
        </div>
      }
    >
      Apply to coach with {brand}. You need an account first.
    </Notice>
  );
}

function CoachNow({ isApproved }: { isApproved: boolean }) {
  return (
    <Notice
      title={isApproved ? "You're in! You're now a coach" : "You're already a coach"}
      action={
        <Button asChild>
          <Link to="/coach/calendar">
            {isApproved ? 'Start with your first steps' : 'Open your calendar'}
          </Link>
        </Button>
      }
    >
      {isApproved
        ? "A few first steps lead to your first booking. We'll show them above your calendar until they're done."
        : 'You can publish lessons from your calendar.'}
    </Notice>
  );
}

/** An application that was declined or withdrawn, or approved before the person lost the role. */
function Closed({ application }: { application: NonNullable<Found['application']> }) {
  const { status, decisionMessage, decidedAt } = application;
  const again = useApiMutation(applicationsApi.saveDraft, { invalidates: [applicationsApi.getOwn] });
  const day = decidedAt && formatDay(decidedAt, Date.now());
  const titles = {
    declined: "Your application wasn't accepted",
    withdrawn: 'You withdrew your application',
  } as const;
  return (
    <div className="w-full max-w-reading">
      <h1>{status === 'declined' || status === 'withdrawn' ? titles[status] : 'Become a coach again'}</h1>
      {status === 'declined' && (
        <>
          <p className="mt-4">We decided on {day}. The reason:</p>
          <blockquote className="mt-3 border-l-2 pl-4 wrap-anywhere whitespace-pre-line">
            {decisionMessage}
          </blockquote>
          <p className="mt-4 text-muted-foreground">You can apply again. We've kept your last answers.</p>
        </>
      )}
      {status === 'withdrawn' && (
        <p className="mt-4 text-muted-foreground">
          You can apply again at any time. We've kept your answers, so you don't have to start over.
        </p>
      )}
      {status === 'approved' && (
        <p className="mt-4 text-muted-foreground">
          You no longer have the coach role. You can apply again with your earlier answers.
        </p>
      )}
      <Button
        className="mt-6 max-sm:w-full"
        isLoading={again.isPending}
        loadingText="Opening..."
        onClick={() =>
          again.mutate(
            { ...typedOf(application), hasAcceptedTerms: false },
            { onError: (error) => toastError(error.message) },
          )
        }
      >
        Apply again
      </Button>
    </div>
  );
}

function Notice({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div className="flex grow flex-col items-center justify-center py-10">
      <EmptyState titleAs="h1" title={title} action={action}>
        {children}
      </EmptyState>
    </div>
  );
}
