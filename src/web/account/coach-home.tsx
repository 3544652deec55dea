import { firstStepsApi } from '#domain/account/first-steps-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import CoachCalendarScreen from '#web/bookings/calendar/coach-calendar.tsx';
import { FirstSteps } from './first-steps.tsx';

/** The coach's calendar, with a new coach's first steps above it until all are done. */
export default function CoachHomeScreen() {
  // Templates, locations and pictures are saved on other pages, so each visit refetches the steps.
  const query = useApi(firstStepsApi.list, {}, { staleTime: 0 });
  // The calendar is hidden until the steps are known. Otherwise it would move just as someone is about to press it.
  // If the request fails, the calendar appears without the steps.
  const isUnknown = query.isPending && query.failureCount === 0 && query.fetchStatus === 'fetching';
  const open = query.data?.steps.some(({ isDone }) => !isDone);
  return (
    <>
      {open && <FirstSteps steps={query.data!.steps} />}
      <div className={isUnknown ? 'invisible flex grow flex-col' : 'flex grow flex-col'}>
        <CoachCalendarScreen />
      </div>
    </>
  );
}
