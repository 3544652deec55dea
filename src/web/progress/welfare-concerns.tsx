import type { Concern } from '#domain/progress/progress-shapes.ts';
import { welfareApi } from '#domain/progress/welfare-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';

/** The welfare concerns that the signed-in person handles or has reported. */
export default function WelfareConcernsScreen() {
  const { user, loading } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see welfare concerns." />;
  return (
    <PersonalPage>
      <Concerns />
    </PersonalPage>
  );
}

function Concerns() {
  const found = usePages(welfareApi.list, {}, (page) => page.concerns);
  return (
    <div className="w-full max-w-2xl">
      <h1>Welfare concerns</h1>
      <p className="mt-2 mb-6 max-w-reading text-muted-foreground">
        Concerns that coaches have reported to you, and concerns that you have reported. Follow your
        safeguarding policy. If someone is in danger now, call 999.
      </p>
      <PagedList
        found={found}
        failure="Failed to load the concerns"
        skeleton={<SkeletonRows label="Loading the concerns..." />}
        empty={
          <EmptyState title="No concerns">
            Coaches can report a concern from their notes about a participant.
          </EmptyState>
        }
        more="Show earlier concerns"
      >
        {(concerns) => (
          <ul className="divide-y border-y">
            {concerns.map((concern) => (
              <ConcernRow key={concern.concernId} concern={concern} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function ConcernRow({ concern }: { concern: Concern }) {
  const {
    concernId,
    participantName,
    reporterName,
    lesson,
    body,
    reportedAt,
    handledAt,
    handledByName,
    isMine,
  } = concern;
  const now = Date.now();
  const handle = useApiMutation(welfareApi.handle, { invalidates: [welfareApi.list] });
  return (
    <li className="space-y-2 py-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-base wrap-anywhere">{participantName}</h2>
        <Badge tone={handledAt ? 'success' : 'warning'}>{handledAt ? 'Handled' : 'Open'}</Badge>
      </div>
      <p className="text-sm text-muted-foreground">
        {isMine ? 'You' : reporterName}, {formatDay(reportedAt, now)}, {formatTime(reportedAt)} ·{' '}
        {lesson.title}, {formatDay(lesson.startTime, now)}
      </p>
      <p className="max-w-reading whitespace-pre-line wrap-anywhere">{body}</p>
      {handledAt ? (
        <p className="text-sm text-muted-foreground">
          {handledByName} looked into it on {formatDay(handledAt, now)}.
        </p>
      ) : (
        !isMine && (
          <Button
            variant="secondary"
            size="sm"
            isLoading={handle.isPending}
            loadingText="Saving..."
            onClick={() =>
              handle.mutate(
                { concernId },
                {
                  onSuccess: () => toastSuccess('Marked as handled'),
                  onError: (error) => toastError(error.message),
                },
              )
            }
          >
            I've looked into it
          </Button>
        )
      )}
    </li>
  );
}
