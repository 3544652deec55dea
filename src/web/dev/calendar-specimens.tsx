import { useState } from 'react';
import type { Sport } from '#domain/sports.ts';
import { DayColumns, formatMinute, type GridBlock } from '#web/ui/calendar/day-columns.tsx';
import { MonthGrid } from '#web/ui/calendar/month-grid.tsx';
import { Section } from '#web/ui/card.tsx';
import { sportStyle } from '#web/ui/sport-dot.tsx';
import { Specimen } from './specimen.tsx';

const names = ['Monday', 'Tuesday', 'Wednesday'];
const columns = names.map((name) => ({
  key: name,
  label: name,
  header: <span className="block py-2 text-center text-sm">{name}</span>,
}));
const hour = 60;
const at = (key: string, column: number, start: number, end: number, sport: Sport): GridBlock => ({
  key,
  column,
  start: start * hour,
  end: end * hour,
  title: sport,
  isMovable: true,
  isVacant: false,
});

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const fortnight = Array.from({ length: 14 }, (_, index) => ({
  date: `2026-11-${String(16 + index)}`,
  label: `${weekdays[index % 7]} ${16 + index} November`,
  isInMonth: true,
  isToday: index === 5,
  items: (['tennis', 'yoga', 'football', 'boxing', 'swimming'] as const).slice(0, (index * 3) % 6),
  canAdd: index > 5,
}));

/** An hourly grid with overlapping, short and draggable blocks, and a month grid. */
export function CalendarSpecimens() {
  const [blocks, setBlocks] = useState([
    at('a', 0, 9, 10.5, 'tennis'),
    at('b', 0, 9.5, 11, 'yoga'),
    at('c', 0, 10.75, 12, 'football'),
    at('d', 1, 8.5, 8.75, 'boxing'),
    at('e', 2, 10, 12, 'swimming'),
  ]);
  return (
    <Section title="Calendar">
      <Specimen name="Days by the hour">
        <DayColumns
          label="Example of three days"
          hint="Arrow keys move between times and blocks."
          columns={columns}
          blocks={blocks}
          notes={[{ column: 1, start: 12 * hour, end: 13 * hour, text: 'A note' }]}
          renderBlock={(block, stop) => (
            <button
              type="button"
              {...stop}
              style={sportStyle(block.title as Sport)}
              className="size-full overflow-hidden rounded-md border border-l-[3px] border-sport/45 border-l-sport bg-sport-soft px-1.5 text-left text-xs leading-snug"
            >
              {block.title}, {formatMinute(block.start)}
            </button>
          )}
          minBlockHeight={24}
          rowMinutes={30}
          canAdd={(_, minute) => minute >= 7 * hour && minute < 20 * hour}
          onAdd={(column, minute) => {
            const start = minute / hour;
            setBlocks([...blocks, at(`${column} ${minute}`, column, start, start + 1, 'climbing')]);
          }}
          now={{ column: 1, minute: 9.75 * hour }}
          opensAt={8 * hour}
          isBusy={false}
          onMove={(moved, column, start) =>
            setBlocks(
              blocks.map((block) =>
                block.key === moved.key
                  ? { ...block, column, start, end: start + block.end - block.start }
                  : block,
              ),
            )
          }
          onLeave={() => {}}
          className="h-80 border-b"
        />
      </Specimen>
      <Specimen name="Weeks of a month">
        <MonthGrid
          label="Example of two weeks"
          hint="Arrow keys move between days."
          days={fortnight}
          weekdays={weekdays.map((long) => ({ short: long.slice(0, 3), long }))}
          home="2026-11-21"
          isBusy={false}
          keyOf={(sport) => sport}
          renderItem={(sport, stop) => (
            <button
              type="button"
              {...stop}
              style={sportStyle(sport)}
              className="block h-5 w-full truncate rounded-sm bg-sport-soft px-1.5 text-left text-xs"
            >
              {sport}
            </button>
          )}
          formatCount={(count) => `${count} lessons`}
          onOpenDay={() => {}}
          onAdd={() => {}}
          onLeave={() => {}}
        />
      </Specimen>
    </Section>
  );
}
