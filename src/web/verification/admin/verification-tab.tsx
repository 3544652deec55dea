import { Link } from '@tanstack/react-router';
import { kindNames } from '#domain/settings/verification-policy.ts';
import { formatDay } from '#domain/time.ts';
import { type CheckedCoach, checksApi } from '#domain/verification/checks-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { StatusDot } from '#web/ui/status-dot.tsx';
import { NoValue, Table, Td, Th } from '#web/ui/table.tsx';
import { formatDate, listKinds, titleOfKind } from '../check-text.ts';
import { VerificationPolicyForm } from './verification-policy-form.tsx';

/** The filters of the list of coaches; without one, the list shows all coaches. */
type CoachState = 'waiting' | 'hidden' | 'ending';

const stateNames: Record<CoachState, string> = {
  waiting: 'With documents to check',
  hidden: 'Hidden',
  ending: 'Ending within 60 days',
};

type VerificationTabProps = {
  search: string | undefined;
  state: CoachState | undefined;
  onFilter: (change: { search?: string | undefined; checks?: CoachState | undefined }) => void;
};

/**
 * The documents that are waiting for a decision, the coaches with the state of their checks, and the policy.
 */
export function VerificationTab(props: VerificationTabProps) {
  return (
    <>
      <WaitingDocuments />
      <CoachList {...props} />
      <VerificationPolicyForm />
    </>
  );
}

function WaitingDocuments() {
  const found = usePages(checksApi.listWaiting, {}, (page) => page.documents);
  return (
    <Section title="Documents to check" description="Longest waiting first.">
      <PagedList
        found={found}
        skeleton={<SkeletonRows label="Loading documents..." />}
        failure="Failed to load the documents to check"
        empty={
          <EmptyState title="No documents to check">
            Documents that coaches submit will appear here.
          </EmptyState>
        }
        more="Show more documents"
      >
        {(documents) => (
          <ul aria-label="Documents to check" className="divide-y border-y">
            {documents.map(({ documentId, coachId, coachName, kind, submittedAt, issuer }) => (
              <li
                key={documentId}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-sm"
              >
                <span className="min-w-0">
                  <span className="block font-medium wrap-anywhere">{coachName}</span>
                  <span className="block wrap-anywhere text-muted-foreground">
                    {titleOfKind(kind)}
                    {issuer && `, ${issuer}`} · submitted {formatDay(submittedAt, Date.now())}
                  </span>
                </span>
                <Button asChild size="sm" variant="secondary">
                  <Link
                    to="/admin/coaches/$coachId"
                    params={{ coachId }}
                    aria-label={`Check ${kindNames[kind]} of ${coachName}`}
                  >
                    Check
                  </Link>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function CoachList({ search, state, onFilter }: VerificationTabProps) {
  const query = useApi(checksApi.listCoaches, { search, state: state ?? 'all' });
  return (
    <Section title="Coaches" description="Shows up to 50 coaches. Search for others by name or email.">
      <search className="mb-4 grid gap-3 sm:grid-cols-[1fr_16rem]">
        <TypedFilter
          label="Search by name or email"
          maxLength={100}
          isLabelHidden
          value={search}
          onSettled={(typed) => onFilter({ search: typed })}
        />
        <FormField label="State" isLabelHidden>
          <Select
            value={state ?? ''}
            onChange={({ target }) =>
              onFilter({ checks: (target.value || undefined) as CoachState | undefined })
            }
          >
            <option value="">All coaches</option>
            {Object.entries(stateNames).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </FormField>
      </search>
      <QueryView
        query={query}
        failure="Failed to load the coaches"
        skeleton={<SkeletonRows count={5} label="Loading coaches..." />}
        isEmpty={({ coaches }) => coaches.length === 0}
        empty={
          <EmptyState
            title="No coaches match"
            action={
              (search || state) && (
                <Button
                  variant="secondary"
                  onClick={() => onFilter({ search: undefined, checks: undefined })}
                >
                  Show all coaches
                </Button>
              )
            }
          >
            Try part of a name or email address{state && ', or all coaches'}.
          </EmptyState>
        }
      >
        {({ coaches, isCut }) => (
          <>
            <Table label="Coaches" isStacked>
              <thead>
                <tr>
                  <Th>Coach</Th>
                  <Th>Listing</Th>
                  <Th>Missing</Th>
                  <Th>Next end date</Th>
                  <Th>To check</Th>
                </tr>
              </thead>
              <tbody>
                {coaches.map((coach) => (
                  <CoachRow key={coach.coachId} coach={coach} />
                ))}
              </tbody>
            </Table>
            {isCut && (
              <p className="mt-3 text-sm text-muted-foreground">
                There are more coaches. Search by name or email to find them.
              </p>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}

function CoachRow({ coach }: { coach: CheckedCoach }) {
  const { coachId, coachName, email, isListed, missing, nextEndsOn, waiting } = coach;
  return (
    <tr>
      <Td>
        <Link
          to="/admin/coaches/$coachId"
          params={{ coachId }}
          className="block font-medium wrap-anywhere underline decoration-border underline-offset-4"
        >
          {coachName}
        </Link>
        <span className="block wrap-anywhere text-muted-foreground max-md:hidden">{email}</span>
      </Td>
      <Td label="Listing" className="whitespace-nowrap">
        <StatusDot tone={isListed ? 'success' : 'destructive'} label={isListed ? 'Listed' : 'Hidden'} />
      </Td>
      <Td label="Missing" className="max-md:text-right">
        {missing.length > 0 ? listKinds(missing) : <NoValue />}
      </Td>
      <Td label="Next end date" className="whitespace-nowrap">
        {nextEndsOn ? formatDate(nextEndsOn) : <NoValue />}
      </Td>
      <Td label="To check">{waiting > 0 ? <Badge tone="primary">{waiting}</Badge> : <NoValue />}</Td>
    </tr>
  );
}
