import { useNavigate, useSearch } from '@tanstack/react-router';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { addDays, mondayOf, type PlainDate, wallTimeOf } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { useIsSmallScreen } from '#web/ui/small-screen.ts';
import { formatLongDay, formatWeek, londonToday, weekOf } from './calendar-dates.ts';
import type { CalendarSearch } from './calendar-search.ts';
import { slotsFailure, useCoachSlots } from './coach-slots.ts';
import { CreateSlotsDialog } from './create-slots-dialog.tsx';
import { DayList, SlotListSkeleton, WeekList, WeekStrip } from './slot-list.tsx';

/** The coach's lessons of a day or a week, and the way to publish more. */
export function CoachCalendarScreen() {
  const search: CalendarSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const isSmall = useIsSmallScreen();
  const [isCreating, setCreating] = useState(false);
  const today = londonToday();
  const date = search.date ?? today;
  const view = isSmall ? 'day' : (search.view ?? 'week');
  const week = weekOf(date);
  // The whole week also for a day: the strip marks its busy days, and the next day is there at once.
  const { slotsByDate, error, isRefetching, refetch } = useCoachSlots(week[0]!, week[6]!);

  function show(change: CalendarSearch) {
    void navigate({
      to: '.',
      search: (previous: CalendarSearch) => ({ ...previous, ...change }),
      resetScroll: false,
    });
  }
  const step = view === 'week' ? 7 : 1;
  const isTodayShown = view === 'week' ? week.includes(today) : date === today;
  const create = () => setCreating(true);
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1>Calendar</h1>
        <Button onClick={create}>
          <Plus aria-hidden />
          Create Slots
        </Button>
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-3">
        <div className="flex items-center gap-1">
          <Button variant="secondary" disabled={isTodayShown} onClick={() => show({ date: today })}>
            Today
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Previous ${view}`}
            onClick={() => show({ date: addDays(date, -step) })}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Next ${view}`}
            onClick={() => show({ date: addDays(date, step) })}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
        <h2 aria-live="polite" className="text-lg tabular-nums max-md:order-first max-md:w-full">
          {view === 'week' ? formatWeek(date) : formatLongDay(date, today)}
        </h2>
        {!isSmall && (
          <SegmentedControl<'day' | 'week'>
            label="View"
            value={view}
            onValueChange={(next) => show({ view: next })}
            options={[
              { value: 'day', label: 'Day' },
              { value: 'week', label: 'Week' },
            ]}
            className="ml-auto"
          />
        )}
      </div>
      {view === 'day' && (
        <WeekStrip
          week={week}
          selected={date}
          today={today}
          busy={slotsByDate}
          onSelect={(next) => show({ date: next })}
        />
      )}
      {slotsByDate ? (
        view === 'week' ? (
          <WeekList week={week} today={today} slotsByDate={slotsByDate} onCreate={create} />
        ) : (
          <DayList slots={slotsByDate.get(date) ?? []} onCreate={create} />
        )
      ) : error ? (
        <ErrorState
          title={slotsFailure}
          message={error.message}
          onRetry={() => void refetch()}
          isRetrying={isRefetching}
        />
      ) : (
        <SlotListSkeleton />
      )}
      <CreateSlotsDialog
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        initialDate={firstDateToPlan(date, today)}
        onCreated={([first]) => {
          if (!first) return;
          const start = wallTimeOf(first.startTime).date;
          const isInView = view === 'week' ? mondayOf(start) === week[0] : start === date;
          if (!isInView) show({ date: start });
        }}
      />
    </>
  );
}

/** The day shown where it is still to come, otherwise tomorrow: at nine most of today is over. */
function firstDateToPlan(shown: PlainDate, today: PlainDate): PlainDate {
  return shown > today ? shown : addDays(today, 1);
}
