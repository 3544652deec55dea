import { useCallback, useMemo } from 'react';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { type PlainDate, type WallTime, wallTimeOf } from '#domain/time.ts';
import { type BlockProps, DayColumns } from '#web/ui/calendar/day-columns.tsx';
import { cn } from '#web/ui/class-names.ts';
import { toastError } from '#web/ui/overlay/toaster.ts';
import { formatLongDay, formatMonthOf, formatWeekday } from './calendar-dates.ts';
import { BlocksOnTheirWay, NoLessons } from './calendar-states.tsx';
import { SlotBlock } from './slot-block.tsx';
import { type SlotBlock as Block, blocksOf, clockNotes, dayOf } from './slot-blocks.ts';

const openingMinute = 7 * 60;

const hint =
  'Use the arrow keys to move between times and lessons, and Page Up or Page Down for the previous or next day or week. Press Enter on a free time to add lessons there, or on a lesson to open it.';

type CalendarDaysProps = {
  /** One date, or the seven dates of a week. */
  dates: readonly PlainDate[];
  /** Undefined while loading. */
  slots: readonly CoachSlot[] | undefined;
  label: string;
  /** The current time, in ms since 1970. */
  now: number;
  isSmall: boolean;
  onOpenDay: (date: PlainDate) => void;
  onAdd: (time: WallTime) => void;
  onMove: (slot: CoachSlot, position: { date: PlainDate; minute: number }) => void;
  onLeave: (direction: 'previous' | 'next') => void;
  onCreate: () => void;
};

/** An hourly grid with the lessons of a day or a week. */
export function CalendarDays(props: CalendarDaysProps) {
  const { dates, slots, label, now, isSmall, onOpenDay, onAdd, onMove, onLeave, onCreate } = props;
  const isDay = dates.length === 1;
  const { date: today, hour, minute } = wallTimeOf(now);
  const nowMinute = hour * 60 + minute;
  const page = dates.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `page` changes exactly when the dates do
  const days = useMemo(() => dates.map(dayOf), [page]);
  const notes = useMemo(() => clockNotes(days), [days]);
  const blocks = useMemo(() => blocksOf(slots ?? [], days, now), [slots, days, now]);
  const columns = useMemo(
    () =>
      days.map(({ date }) => ({
        key: date,
        label: formatLongDay(date, today),
        header: isDay ? (
          <span className="sr-only">{formatLongDay(date, today)}</span>
        ) : (
          <DayHeader date={date} today={today} onOpenDay={onOpenDay} />
        ),
      })),
    [days, today, isDay, onOpenDay],
  );
  const canAdd = useCallback(
    (column: number, start: number) => {
      const { date } = days[column]!;
      if (date < today || (date === today && start <= nowMinute)) return false;
      const holds = (block: { column: number; start: number; end: number }) =>
        block.column === column && block.start <= start && start < block.end;
      return (
        !notes.some((note) => note.isSkipped && holds(note)) &&
        !blocks.some((block) => block.slot.status === 'scheduled' && holds(block))
      );
    },
    [days, today, nowMinute, notes, blocks],
  );
  const renderBlock = useCallback(
    (block: Block, stop: BlockProps, height: number) => (
      <SlotBlock slot={block.slot} now={now} height={height} stop={stop} />
    ),
    [now],
  );
  const add = useCallback(
    (column: number, start: number) =>
      onAdd({ date: days[column]!.date, hour: Math.floor(start / 60), minute: start % 60 }),
    [days, onAdd],
  );
  const beginnings = blocks.flatMap(({ slot, start, column }) =>
    Date.parse(slot.startTime) >= days[column]!.from ? [start] : [],
  );
  const todayColumn = dates.indexOf(today);
  return (
    <DayColumns
      label={label}
      hint={hint}
      columns={columns}
      blocks={blocks}
      notes={notes}
      renderBlock={renderBlock}
      minBlockHeight={isDay ? 40 : 24}
      rowMinutes={isSmall ? 60 : 30}
      canAdd={canAdd}
      onAdd={add}
      now={todayColumn === -1 ? null : { column: todayColumn, minute: nowMinute }}
      opensAt={beginnings.length > 0 ? Math.min(...beginnings) : openingMinute}
      isBusy={!slots}
      onMove={(block, column, start) => onMove(block.slot, { date: days[column]!.date, minute: start })}
      onRefuseMove={({ slot }) =>
        toastError(`Booked lessons can't be dragged. Open “${slot.title}” to move it and notify everyone.`)
      }
      onLeave={onLeave}
      className={cn(
        'border-b',
        isDay
          ? 'h-[max(24rem,calc(100dvh-22rem))] md:h-[max(28rem,calc(100dvh-22.5rem))] lg:h-[max(28rem,calc(100dvh-19.5rem))]'
          : 'h-[max(28rem,calc(100dvh-18rem))] lg:h-[max(28rem,calc(100dvh-15rem))]',
      )}
    >
      {!slots && <BlocksOnTheirWay isDay={isDay} />}
      {slots && blocks.length === 0 && (
        <NoLessons isDay={isDay} isPast={dates.at(-1)! < today} onCreate={onCreate} />
      )}
    </DayColumns>
  );
}

function DayHeader({
  date,
  today,
  onOpenDay,
}: {
  date: PlainDate;
  today: PlainDate;
  onOpenDay: (date: PlainDate) => void;
}) {
  return (
    <button
      type="button"
      onClick={() => onOpenDay(date)}
      className={cn(
        'flex w-full flex-col items-center gap-0.5 rounded-md pt-1 pb-1.5 text-xs transition-colors hover:bg-accent focus-visible:-outline-offset-2',
        date === today ? 'font-medium text-primary' : 'text-muted-foreground',
      )}
    >
      {formatWeekday(date, 'short')}
      <span
        className={cn(
          'grid size-8 place-items-center rounded-full text-base font-medium tabular-nums',
          date === today && 'bg-primary text-primary-foreground',
          date < today && 'text-muted-foreground',
          date > today && 'text-foreground',
        )}
      >
        {Number(date.slice(8))}
      </span>
      <span className="sr-only">{`${formatMonthOf(date, today)}${date === today ? ', today' : ''}`}</span>
    </button>
  );
}
