import { type AgeRequest, agesApi } from '#domain/catalogue/ages-contract.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';

/**
 * Requests for exceptions to a template's age range. Shows open requests, with answered ones collapsed below. Renders
 * nothing if there are none.
 */
export function AgeRequests() {
  const query = useApi(agesApi.listRequests, {});
  return (
    <QueryView
      query={query}
      isPart
      failure="Failed to load the requests to join"
      skeleton={null}
      isEmpty={({ requests }) => requests.length === 0}
    >
      {({ requests }) => <RequestList requests={requests} />}
    </QueryView>
  );
}

function RequestList({ requests }: { requests: AgeRequest[] }) {
  const open = requests.filter(({ status }) => status === 'asked');
  const answered = requests.filter(({ status }) => status !== 'asked');
  return (
    <section aria-labelledby="age-requests" className="mb-8">
      <h2 id="age-requests" className="text-lg">
        Requests to join
      </h2>
      {open.length > 0 ? (
        <>
          <p className="mt-1 mb-3 max-w-reading text-sm text-muted-foreground">
            These people are outside the age range of your lessons. If you agree, they can book any lesson
            from the same template.
          </p>
          <RequestRows requests={open} />
        </>
      ) : (
        <p className="mt-1 text-sm text-muted-foreground">You've answered all requests.</p>
      )}
      {answered.length > 0 && (
        <details className="group mt-2">
          <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 text-sm font-medium [&::-webkit-details-marker]:hidden">
            <span aria-hidden className="text-muted-foreground transition-transform group-open:rotate-90">
              ›
            </span>
            Answered <span className="font-normal text-muted-foreground tabular-nums">{answered.length}</span>
          </summary>
          <RequestRows requests={answered} />
        </details>
      )}
    </section>
  );
}

const RequestRows = ({ requests }: { requests: AgeRequest[] }) => (
  <ul className="divide-y border-y">
    {requests.map((request) => (
      <RequestRow key={request.ageRequestId} request={request} />
    ))}
  </ul>
);

function RequestRow({ request }: { request: AgeRequest }) {
  const { ageRequestId, title, participantName, age, askedByName, status, askedAt } = request;
  const answer = useApiMutation(agesApi.answer, {
    invalidates: [agesApi.listRequests],
    onSuccess: (_, { isAllowed }) =>
      toastSuccess(isAllowed ? `${participantName} can now join` : 'Request declined', title),
  });
  const say = (isAllowed: boolean) =>
    answer.isPending ||
    answer.mutate({ ageRequestId, isAllowed }, { onError: (error) => toastError(error.message) });
  const isBeingAllowed = answer.variables?.isAllowed === true;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <div className="min-w-0 grow basis-56">
        <p className="font-medium wrap-anywhere">
          {participantName}
          {age !== null && <span className="font-normal text-muted-foreground">, age {age}</span>}
        </p>
        <p className="text-sm wrap-anywhere text-muted-foreground">
          {title} · asked by {askedByName}, {formatDay(askedAt, Date.now())}
        </p>
      </div>
      {status !== 'asked' && (
        <Badge tone={status === 'allowed' ? 'success' : 'neutral'}>
          {status === 'allowed' ? 'May join' : 'Declined'}
        </Badge>
      )}
      <div className="flex gap-2 max-sm:w-full max-sm:*:grow">
        {status !== 'allowed' && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Accept ${participantName} for ${title}`}
            isLoading={answer.isPending && isBeingAllowed}
            loadingText="Saving..."
            onClick={() => say(true)}
          >
            Accept
          </Button>
        )}
        {status !== 'declined' && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Decline ${participantName} for ${title}`}
            isLoading={answer.isPending && !isBeingAllowed}
            loadingText="Saving..."
            onClick={() => say(false)}
          >
            Decline
          </Button>
        )}
      </div>
    </li>
  );
}
