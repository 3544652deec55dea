import { type CareReader, careApi } from '#domain/accounts/care-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Section } from '#web/ui/card.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';

type CareRead = OutputOf<typeof careApi.listCareReads>['reads'][number];

const readerNames: Record<CareReader, string> = {
  coach: 'Coach',
  owner: "Owner of the coach's business",
  welfare_officer: 'Welfare officer',
  admin: 'Admin',
};

/** Who opened a participant's care details, when, and for which lesson or reason. */
export function CareReadsSection({ participantId }: { participantId: string }) {
  const found = usePages(careApi.listCareReads, { participantId }, (page) => page.reads, { staleTime: 0 });
  return (
    <Section
      title="Who opened the care details"
      description="Coaches, business owners, welfare officers and admins who opened them, latest first."
    >
      <PagedList
        found={found}
        failure="Failed to load the list of people who opened the care details"
        skeleton={
          <Loading label="Loading the list of people who opened the care details..." className="space-y-3">
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </Loading>
        }
        empty={<p className="text-sm text-muted-foreground">Nobody has opened them yet.</p>}
        more="Show earlier entries"
      >
        {(reads) => (
          <ul className="divide-y border-y text-sm">
            {reads.map((read) => (
              <CareReadRow key={`${read.readAt} ${read.readerName}`} read={read} />
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function CareReadRow({ read: { readAt, readerName, readerRole, lesson, reason } }: { read: CareRead }) {
  const now = Date.now();
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-3">
      <div className="min-w-0 grow basis-64 wrap-anywhere">
        <p>
          <span className="font-medium">{readerName}</span>{' '}
          <span className="text-muted-foreground">({readerNames[readerRole]})</span>
        </p>
        {lesson && (
          <p className="text-muted-foreground">
            For “{lesson.title}” on {formatDay(lesson.startTime, now)}, {formatTime(lesson.startTime)}
          </p>
        )}
        {reason && <p className="text-muted-foreground">Reason: {reason}</p>}
      </div>
      <p className="text-muted-foreground tabular-nums">
        {formatDay(readAt, now)}, {formatTime(readAt)}
      </p>
    </li>
  );
}
