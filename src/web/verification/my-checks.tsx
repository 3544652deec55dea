import { wallTimeOf } from '#domain/time.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { DocumentKindSection } from './document-kind.tsx';
import { ListingNotice } from './listing-notice.tsx';
import { UncoveredLessons } from './uncovered-lessons.tsx';

/**
 * The coach's own checks and documents: which are required, which were submitted, and whether lessons are
 * listed.
 */
export default function MyChecksScreen() {
  const query = useApi(documentsApi.getMine, {});
  return (
    <div className="max-w-reading">
      <h1>Checks and documents</h1>
      <p className="mt-2 text-muted-foreground">
        What the club requires, what you've submitted, and what your page shows. Customers never see a number
        or a file.
      </p>
      <div className="mt-8">
        <QueryView
          query={query}
          failure="Failed to load your checks and documents"
          skeleton={<SkeletonRows count={5} label="Loading your checks and documents..." />}
        >
          {({ trustFile }) => (
            <>
              <ListingNotice file={trustFile} today={wallTimeOf(Date.now()).date} className="mb-8" />
              <UncoveredLessons coachId={trustFile.coachId} />
              {trustFile.kinds.map((state) => (
                <DocumentKindSection key={state.kind} state={state} file={trustFile} />
              ))}
            </>
          )}
        </QueryView>
      </div>
    </div>
  );
}
