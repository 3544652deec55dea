import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** Props that make an element a stop for the arrow keys: columns count from 0; `row` only has to increase downwards. */
export const stopAt = (column: number, row: number) => ({
  'data-column': column,
  'data-row': row,
  tabIndex: -1,
});

export type StopProps = ReturnType<typeof stopAt>;

const anyStop = '[data-column][data-row]';
const columnOf = (stop: HTMLElement) => Number(stop.dataset.column);
const rowOf = (stop: HTMLElement) => Number(stop.dataset.row);
const stopsOf = (grid: HTMLElement) => [...grid.querySelectorAll<HTMLElement>(anyStop)];

/** The column's stop nearest to a row (the upper of two); if the column has none, the nearest stop of any column. */
function nearest(
  stops: readonly HTMLElement[],
  row: number,
  column: 'first' | 'last' | number,
): HTMLElement | undefined {
  const columns = stops.map(columnOf);
  const target =
    column === 'first' ? Math.min(...columns) : column === 'last' ? Math.max(...columns) : column;
  const inColumn = stops.filter((stop) => columnOf(stop) === target);
  const distance = (stop: HTMLElement) => Math.abs(rowOf(stop) - row);
  return (inColumn.length > 0 ? inColumn : stops).toSorted((a, b) => distance(a) - distance(b))[0];
}

/** A move by keyboard to the grid's previous or next page; `column` and `row` are the target on that page. */
export type Leaving = { direction: 'previous' | 'next'; column: 'first' | 'last' | number; row: number };

type RovingFocus = {
  grid: RefObject<HTMLElement | null>;
  /**
   * Identifies the grid's page; when it changes after a key press has left the page, the focus moves to the new
   * page.
   */
  page: string;
  /** The stop that Tab focuses first. */
  home: { column: number; row: number };
  /** How many rows one week takes, if the columns are weekdays. The arrow keys then continue from week to week. */
  weekRows?: number;
  /** Shows the previous or next page. */
  onLeave: (direction: 'previous' | 'next') => void;
};

/**
 * Moves the focus between the stops of a grid, which is a single tab stop. Up and Down move within a column, Left and
 * Right to the nearest stop of the previous and next column, Home and End to the first and last column, Page Up and
 * Page Down to the previous and next page.
 */
export function useRovingFocus({ grid, page, home, weekRows, onLeave }: RovingFocus) {
  const active = useRef<HTMLElement | null>(null);
  const arriving = useRef<(Leaving & { from: string }) | null>(null);

  // Runs after every render, because the stops change with the grid's content.
  useLayoutEffect(() => {
    if (!grid.current) return;
    const stops = stopsOf(grid.current);
    // A grid without stops can still be scrolled by keyboard.
    grid.current.tabIndex = stops.length === 0 ? 0 : -1;
    const arrival = arriving.current;
    const known = active.current;
    if (arrival && arrival.from !== page) {
      arriving.current = null;
      nearest(stops, arrival.row, arrival.column)?.focus();
    } else if (known && !known.isConnected && document.activeElement === document.body) {
      // The focused element was replaced by another element at its position.
      nearest(stops, rowOf(known), columnOf(known))?.focus({ preventScroll: true });
    }
    mark(stops, stops.find((stop) => stop === active.current) ?? nearest(stops, home.row, home.column));
  });

  function mark(stops: readonly HTMLElement[], current: HTMLElement | undefined) {
    for (const stop of stops) stop.tabIndex = stop === current ? 0 : -1;
  }

  function onFocus({ target }: { target: EventTarget }) {
    const stop = (target as HTMLElement).closest<HTMLElement>(anyStop);
    if (!stop || !grid.current) return;
    active.current = stop;
    mark(stopsOf(grid.current), stop);
  }

  function onKeyDown(event: KeyboardEvent) {
    const stop = (event.target as HTMLElement).closest<HTMLElement>(anyStop);
    if (!stop || !grid.current || event.altKey || event.metaKey || event.ctrlKey) return;
    const stops = stopsOf(grid.current);
    const column = columnOf(stop);
    const row = rowOf(stop);

    function leave(step: 1 | -1, to: Omit<Leaving, 'direction'>) {
      const direction = step > 0 ? 'next' : 'previous';
      arriving.current = { ...to, direction, from: page };
      onLeave(direction);
    }
    function goBeside(step: 1 | -1) {
      const columns = stops.map(columnOf).filter((other) => (other - column) * step > 0);
      const edge = step > 0 ? 'first' : 'last';
      if (columns.length > 0) {
        nearest(stops, row, step > 0 ? Math.min(...columns) : Math.max(...columns))?.focus();
      } else if (weekRows) {
        const week = Math.floor(row / weekRows) + step;
        const inWeek = stops.filter((other) => Math.floor(rowOf(other) / weekRows) === week);
        if (inWeek.length > 0) nearest(inWeek, week * weekRows, edge)?.focus();
        else leave(step, { column: edge, row: week * weekRows });
      } else leave(step, { column: edge, row });
    }
    function goAlong(step: 1 | -1) {
      const inColumn = stops.filter((other) => columnOf(other) === column);
      const ordered = inColumn.toSorted((a, b) => rowOf(a) - rowOf(b));
      const next = ordered[ordered.indexOf(stop!) + step];
      if (next) next.focus();
      else if (weekRows) leave(step, { column, row: (Math.floor(row / weekRows) + step) * weekRows });
    }
    const turnPage = (step: 1 | -1) => leave(step, { column, row: row + step * 4 * (weekRows ?? 0) });
    const turns: Record<string, () => void> = {
      ArrowUp: () => goAlong(-1),
      ArrowDown: () => goAlong(1),
      ArrowLeft: () => goBeside(-1),
      ArrowRight: () => goBeside(1),
      Home: () => nearest(stops, row, 'first')?.focus(),
      End: () => nearest(stops, row, 'last')?.focus(),
      PageUp: () => turnPage(-1),
      PageDown: () => turnPage(1),
    };
    const turn = turns[event.key];
    if (!turn) return;
    event.preventDefault();
    turn();
  }

  return { onFocus, onKeyDown };
}
