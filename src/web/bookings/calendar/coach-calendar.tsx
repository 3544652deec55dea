import { useNavigate, useSearch } from '@tanstack/react-router';
import CalendarX from 'lucide-react/icons/calendar-x';
import { useCallback } from 'react';
import { addDays, type PlainDate, type WallTime, wallTimeOf } from '#domain/time.ts';
import { useAddressChange } from '#web/app/layout/dialog-address.ts';
import { CreateSlotsDialog } from '#web/catalogue/create-slots-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { useCurrentMinute } from '#web/ui/current-minute.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { useIsSmallScreen } from '#web/ui/small-screen.ts';
import { ChecksBanner } from '#web/verification/checks-banner.tsx';
import { CancelDayDialog } from '../changes/cancel-day-dialog.tsx';
import {
  addMonths,
  formatLongDay,
  formatMonth,
  formatShortDay,
  formatWeek,
  monthOf,
  stripOf,
  weekOf,
} from './calendar-dates.ts';
import { CalendarDays } from './calendar-days.tsx';
import { CalendarLegend } from './calendar-legend.tsx';
import { CalendarMonth } from './calendar-month.tsx';
import {
  type CalendarSearch,
  type CalendarView,
  readCalendarSearch,
  readWallTime,
  writeWallTime,
} from './calendar-search.ts';
import { CalendarToolbar } from './calendar-toolbar.tsx';
import { useCoachSlots } from './coach-slots.ts';
import { useMoveSlot } from './use-move-slot.ts';
import { WeekStrip } from './week-strip.tsx';

const viewKey = 'app.calendar-view';
const openingTime = { hour: 9, minute: 0 };

/** The coach's calendar: shows lessons by day, week or month and lets the coach publish, move and open them. */
export default function CoachCalendarScreen() {
  const search: CalendarSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const isSmall = useIsSmallScreen();
  const now = useCurrentMinute();
  const { date: today } = wallTimeOf(now);
  const periodOf = (shown: CalendarSearch): { date: PlainDate; view: CalendarView } => ({
    date: shown.date ?? today,
    view: isSmall ? 'day' : (shown.view ?? preferredView()),
  });
  const { date, view } = periodOf(search);
  // The day view loads the whole week: the strip marks the days with lessons, and pressing another day shows
  // it immediately.
  const loaded = { day: stripOf(date, today), week: weekOf(date), month: monthOf(date) }[view];
  const query = useCoachSlots(loaded[0]!, loaded.at(-1)!);
  const { moveTo, withMoves } = useMoveSlot();
  const slots = query.data && withMoves(query.data.slots);

  const show = useCallback(
    (change: CalendarSearch | ((previous: CalendarSearch) => CalendarSearch)) =>
      void navigate({
        to: '.',
        search: (previous: CalendarSearch) => ({
          ...previous,
          ...(typeof change === 'function' ? change(previous) : change),
        }),
        resetScroll: false,
      }),
    [navigate],
  );
  const setDialog = useAddressChange();
  const closeDialog = () => setDialog({ create: undefined, cancelDay: undefined });
  const openDay = useCallback((day: PlainDate) => show({ date: day, view: 'day' }), [show]);
  const createAt = useCallback((time: WallTime) => setDialog({ create: writeWallTime(time) }), [setDialog]);
  const step = (count: 1 | -1) =>
    // Steps from the date in the URL, because the page may not show the previous step yet.
    show((previous) => {
      const from = periodOf(previous);
      if (from.view === 'month') return { date: addMonths(from.date, count) };
      return { date: addDays(from.date, count * (from.view === 'week' ? 7 : 1)) };
    });
  const leave = (direction: 'previous' | 'next') => step(direction === 'next' ? 1 : -1);
  const create = () => createAt({ date: firstDateToPlan(date, today), ...openingTime });

  const title = {
    day: (isSmall ? formatShortDay : formatLongDay)(date, today),
    week: formatWeek(date),
    month: formatMonth(date),
  }[view];
  const shown = view === 'day' ? [date] : loaded;
  const isTodayShown = view === 'month' ? date.slice(0, 7) === today.slice(0, 7) : shown.includes(today);
  const hasLessonsAhead = slots?.some(
    ({ status, startTime }) =>
      status === 'scheduled' && Date.parse(startTime) > now && wallTimeOf(startTime).date === date,
  );
  const calendar =
    view === 'month' ? (
      <CalendarMonth
        date={date}
        label={title}
        slots={slots}
        now={now}
        onOpenDay={openDay}
        onAdd={(day) => createAt({ date: day, ...openingTime })}
        onLeave={leave}
      />
    ) : (
      <CalendarDays
        key={view}
        dates={shown}
        slots={slots}
        label={view === 'week' ? `Week ${title}` : title}
        now={now}
        isSmall={isSmall}
        onOpenDay={openDay}
        onAdd={createAt}
        onMove={moveTo}
        onLeave={leave}
        onCreate={create}
      />
    );
  return (
    <>
      <ChecksBanner />
      <CalendarToolbar
        view={view}
        title={title}
        isTodayShown={isTodayShown}
        hasViews={!isSmall}
        onToday={() => show({ date: today })}
        onStep={step}
        onView={(next) => {
          localStorage.setItem(viewKey, next);
          show({ view: next });
        }}
        onCreate={create}
      >
        {view === 'day' && hasLessonsAhead && (
          <Button
            variant="ghost"
            className="text-destructive max-md:size-11 max-md:px-0"
            onClick={() => setDialog({ date, cancelDay: true })}
          >
            <CalendarX aria-hidden />
            <span className="max-md:sr-only">Cancel day</span>
          </Button>
        )}
      </CalendarToolbar>
      {view === 'day' && (
        <WeekStrip
          week={loaded}
          selected={date}
          today={today}
          slots={slots}
          onSelect={(next) => show({ date: next })}
        />
      )}
      <QueryView query={query} failure="Failed to load lesson slots" skeleton={calendar}>
        {() => calendar}
      </QueryView>
      {!isSmall && <CalendarLegend hasKeys={view !== 'month'} />}
      <CancelDayDialog
        date={date}
        isOpen={search.cancelDay === true && search.date !== undefined}
        onClose={closeDialog}
      />
      <CreateSlotsDialog
        isOpen={search.create !== undefined}
        onClose={closeDialog}
        initialTime={readWallTime(search.create) ?? { date: today, ...openingTime }}
        onCreated={([first]) => {
          if (!first) return;
          const start = wallTimeOf(first.startTime).date;
          if (!shown.includes(start)) show({ date: start });
        }}
      />
    </>
  );
}

/** The view last chosen on this device, for URLs without a view. */
const preferredView = () => readCalendarSearch({ view: localStorage.getItem(viewKey) }).view ?? 'week';

/** The date shown if it is in the future, otherwise tomorrow, because 09:00 today may have passed. */
function firstDateToPlan(shown: PlainDate, today: PlainDate): PlainDate {
  return shown > today ? shown : addDays(today, 1);
}
