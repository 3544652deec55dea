import { memo, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { cn } from '../class-names.ts';
import { type StopProps, stopAt, useRovingFocus } from '../roving-focus.ts';
import { useBlockDrag } from './block-drag.ts';
import { type DayBlock, layOutDay } from './day-layout.ts';

/** The height of an hour, in pixels. */
export const hourHeight = 48;
const pixelsPerMinute = hourHeight / 60;
const gutter = 56;
const snapMinutes = 15;

/** An event in one of the columns. */
export type GridBlock = DayBlock & {
  /** A key that is unique in the whole grid. */
  key: string;
  column: number;
  title: string;
  isMovable: boolean;
  /** True if the block can't be dragged; an attempt to drag it calls `onRefuseMove`. */
  isFixed?: boolean;
  /** True if another item can start at the same time; the block then leaves space beside it to press. */
  isVacant: boolean;
};

/** A part of a column that needs a label, such as an hour that the clocks skip. */
export type GridNote = DayBlock & { column: number; text: string };

/** Props of a block's link; `data-movable` makes it draggable, `data-immovable` marks it as fixed. */
export type BlockProps = StopProps & { 'data-movable'?: string; 'data-immovable'?: string };

type Cells<Block extends GridBlock> = {
  columns: readonly { key: string; label: string; header: ReactNode }[];
  blocks: readonly Block[];
  notes: readonly GridNote[];
  /** Renders a block at its position; `height` in pixels. */
  renderBlock: (block: Block, props: BlockProps, height: number) => ReactNode;
  /** The minimum height of a block, in pixels. */
  minBlockHeight: number;
  /** The length of a row: half an hour, or an hour on a small screen. */
  rowMinutes: 30 | 60;
  /** True if a new item can start at this position; `minute` counts from midnight. */
  canAdd: (column: number, minute: number) => boolean;
  onAdd: (column: number, minute: number) => void;
  /** The position of the line at the current time; null if no column is today. */
  now: { column: number; minute: number } | null;
};

type DayColumnsProps<Block extends GridBlock> = Cells<Block> & {
  /** The grid's accessible name: "Week 16 – 22 Nov 2026". */
  label: string;
  /** Keyboard instructions, read once by screen readers. */
  hint: string;
  /** The time at the top when the grid opens, in minutes since midnight. */
  opensAt: number;
  isBusy: boolean;
  onMove: (block: Block, column: number, start: number) => void;
  /** Called on an attempt to drag a fixed block. */
  onRefuseMove?: (block: Block) => void;
  onLeave: (direction: 'previous' | 'next') => void;
  /** Content shown over the grid. It does not scroll with the grid. */
  children?: ReactNode;
  className?: string;
};

/** Formats minutes since midnight: 870 → "14:30". */
export function formatMinute(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

const template = (count: number) => ({ gridTemplateColumns: `${gutter}px repeat(${count}, minmax(0, 1fr))` });

/** Days side by side over 24 hours, with their blocks and a line at the current time. */
export function DayColumns<Block extends GridBlock>(props: DayColumnsProps<Block>) {
  const {
    columns,
    blocks,
    label,
    hint,
    now,
    opensAt,
    isBusy,
    onMove,
    onRefuseMove,
    onLeave,
    children,
    className,
  } = props;
  const hintId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const page = columns.map(({ key }) => key).join();
  const roving = useRovingFocus({
    grid: scroller,
    page,
    home: { column: now?.column ?? 0, row: opensAt },
    onLeave,
  });
  const { drag, onPointerDown } = useBlockDrag({
    scroller,
    body,
    columnCount: columns.length,
    gutter,
    pixelsPerMinute,
    snapMinutes,
    onDrop({ key, column, start }) {
      const block = blocks.find((candidate) => candidate.key === key);
      if (block) onMove(block, column, start);
    },
    onRefuse(key) {
      const block = blocks.find((candidate) => candidate.key === key);
      if (block) onRefuseMove?.(block);
    },
  });
  const carried = drag && blocks.find(({ key }) => key === drag.key);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page scrolls to its own first minute
  useLayoutEffect(() => {
    const view = scroller.current;
    if (view && !view.contains(document.activeElement)) view.scrollTop = opensAt * pixelsPerMinute - 12;
  }, [page, opensAt]);

  return (
    <div className={cn('relative min-h-0', className)}>
      <p id={hintId} className="sr-only">
        {hint}
      </p>
      <div
        ref={scroller}
        className="relative h-full overflow-y-auto overscroll-contain md:[scrollbar-gutter:stable] [scrollbar-width:thin]"
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with arrow keys is a grid
          role="grid"
          aria-label={label}
          aria-describedby={hintId}
          aria-busy={isBusy}
          onFocus={roving.onFocus}
          onKeyDown={roving.onKeyDown}
          onPointerDown={onPointerDown}
          className="block"
        >
          <thead className="sticky top-0 z-30 block border-b bg-background">
            <tr style={template(columns.length)} className="grid">
              <th scope="col">
                <span className="sr-only">Time</span>
              </th>
              {columns.map(({ key, header }) => (
                <th key={key} scope="col" className="min-w-0 font-normal">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} className="relative block">
            <Rows {...props} />
          </tbody>
        </table>
        {drag && carried && (
          <div
            aria-hidden
            data-drag-ghost
            style={{
              top: (body.current?.offsetTop ?? 0) + drag.start * pixelsPerMinute,
              left: `calc(${gutter}px + (100% - ${gutter}px) * ${drag.column / columns.length})`,
              width: `calc((100% - ${gutter}px) / ${columns.length})`,
              height: Math.max((carried.end - carried.start) * pixelsPerMinute, props.minBlockHeight),
            }}
            className="pointer-events-none absolute z-20 overflow-hidden rounded-md border-2 border-primary bg-primary-soft px-1.5 text-xs leading-snug text-primary shadow-float"
          >
            <span className="block font-semibold tabular-nums">{formatMinute(drag.start)}</span>
            <span className="block truncate">{carried.title}</span>
          </div>
        )}
      </div>
      {children}
    </div>
  );
}

function RowsOfDays<Block extends GridBlock>({
  columns,
  blocks,
  notes,
  renderBlock,
  minBlockHeight,
  rowMinutes,
  canAdd,
  onAdd,
  now,
}: Cells<Block>): ReactNode {
  const laidOut = columns.map((_, column) =>
    layOutDay(
      blocks.filter((block) => block.column === column),
      minBlockHeight / pixelsPerMinute,
    ),
  );
  const rows = Array.from({ length: (24 * 60) / rowMinutes }, (_, row) => row * rowMinutes);
  return rows.map((minute) => (
    <tr
      key={minute}
      style={{ ...template(columns.length), height: rowMinutes * pixelsPerMinute }}
      className="grid"
    >
      <th
        scope="row"
        className="font-normal relative pr-2 text-right text-xs text-muted-foreground tabular-nums"
      >
        {minute % 60 === 0 && minute > 0 ? (
          <span className="absolute -top-2.5 right-2">{formatMinute(minute)}</span>
        ) : (
          <span className="sr-only">{formatMinute(minute)}</span>
        )}
      </th>
      {columns.map(({ key, label }, column) => {
        const begins = (start: number) => start >= minute && start < minute + rowMinutes;
        return (
          <td
            key={key}
            className={cn(
              'relative border-l',
              // The line has no height, so that a block starting on the hour is exactly on the line.
              minute > 0 &&
                minute % 60 === 0 &&
                'before:absolute before:inset-x-0 before:top-0 before:border-t',
            )}
          >
            {canAdd(column, minute) && (
              <button
                type="button"
                {...stopAt(column, minute)}
                aria-label={`${label}, ${formatMinute(minute)}, free. Add lessons`}
                onClick={() => onAdd(column, minute)}
                className={cn(
                  'absolute inset-0 scroll-my-16 rounded-sm px-1.5 text-left text-xs font-medium text-primary tabular-nums focus-visible:z-10 focus-visible:-outline-offset-2',
                  '[&>span]:opacity-0 hover:bg-primary-soft hover:[&>span]:opacity-100 focus-visible:bg-primary-soft focus-visible:[&>span]:opacity-100',
                )}
              >
                <span aria-hidden>+ {formatMinute(minute)}</span>
              </button>
            )}
            {notes.map(
              ({ text, start, end, column: where }) =>
                where === column &&
                begins(start) && (
                  <span
                    key={text}
                    style={{ height: (end - start) * pixelsPerMinute }}
                    className="pointer-events-none absolute inset-x-0 top-0 z-[1] flex items-end justify-end overflow-hidden bg-muted/70 px-1.5 py-0.5 text-right text-xs leading-tight text-muted-foreground"
                  >
                    {text}
                  </span>
                ),
            )}
            {laidOut[column]!.map(({ block, start, end, column: lane, columns: count, span }) => {
              if (!begins(start)) return null;
              const height = (end - start) * pixelsPerMinute;
              return (
                <div
                  key={block.key}
                  style={{
                    top: (start - minute) * pixelsPerMinute,
                    left: `${(100 * lane) / count}%`,
                    width: `${(100 * span) / count}%`,
                    height,
                  }}
                  className={cn('absolute z-10', block.isVacant && count === 1 ? 'pr-[20%]' : 'pr-1')}
                >
                  {renderBlock(
                    block,
                    {
                      ...stopAt(column, block.start),
                      ...(block.isMovable && { 'data-movable': block.key }),
                      ...(block.isFixed && { 'data-immovable': block.key }),
                    },
                    height,
                  )}
                </div>
              );
            })}
            {now?.column === column && begins(now.minute) && (
              <span
                aria-hidden
                data-now-line
                style={{ top: (now.minute - minute) * pixelsPerMinute }}
                className="pointer-events-none absolute inset-x-0 z-20 -mt-px h-0.5 bg-destructive"
              >
                <span className="absolute -top-[0.1875rem] -left-1 size-2 rounded-full bg-destructive" />
              </span>
            )}
          </td>
        );
      })}
    </tr>
  ));
}

/** Re-renders only when its own props change, not while a block is dragged over the rows. */
const Rows = memo(RowsOfDays) as typeof RowsOfDays;
