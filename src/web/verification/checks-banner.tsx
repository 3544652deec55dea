import { Link } from '@tanstack/react-router';
import { wallTimeOf } from '#domain/time.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { ListingNotice } from './listing-notice.tsx';

/**
 * A banner above the coach's calendar if lessons are hidden or soon will be, or if under-18s can't book them.
 * It says how many booked lessons fall after the documents end.
 */
export function ChecksBanner() {
  const { data } = useApi(documentsApi.getMine, {}, { staleTime: 300_000 });
  if (!data) return null;
  const { uncoveredLessons } = data.trustFile;
  return (
    <ListingNotice file={data.trustFile} today={wallTimeOf(Date.now()).date} className="mb-4">
      {uncoveredLessons > 0 && (
        <p>
          {uncoveredLessons === 1
            ? '1 booked lesson falls after your documents end.'
            : `${uncoveredLessons} booked lessons fall after your documents end.`}
        </p>
      )}
      <p>
        <Link to="/coach/verification" className="inline-block py-1 font-medium underline underline-offset-4">
          Open checks and documents
        </Link>
      </p>
    </ListingNotice>
  );
}
