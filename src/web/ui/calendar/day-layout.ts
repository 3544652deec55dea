/** An event of one day, in minutes since midnight, local time; `end` is after `start`. */
export type DayBlock = { start: number; end: number };

/**
 * A block's position: its start and end in minutes since midnight, which of `columns` equal columns it begins in, and
 * how many columns it spans.
 */
export type Placement = { start: number; end: number; column: number; columns: number; span: number };

const minutesOfDay = 24 * 60;

type LaidOut<Block> = Placement & { block: Block };

/**
 * Lays overlapping blocks of one day side by side. A block shorter than `minMinutes` is shown at that length;
 * near midnight it is extended upwards. Returns all blocks from top to bottom: none covers another, and each is as wide
 * as its neighbours allow.
 */
export function layOutDay<Block extends DayBlock>(
  blocks: readonly Block[],
  minMinutes: number,
): LaidOut<Block>[] {
  const laidOut = blocks
    .map((block): LaidOut<Block> => {
      const length = Math.max(block.end - block.start, minMinutes);
      const start = Math.max(0, Math.min(block.start, minutesOfDay - length));
      return { block, start, end: start + length, column: 0, columns: 1, span: 1 };
    })
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let group: LaidOut<Block>[] = [];
  let groupEnd = 0;
  for (const item of laidOut) {
    if (item.start >= groupEnd) {
      shareWidth(group);
      group = [];
    }
    group.push(item);
    groupEnd = Math.max(groupEnd, item.end);
  }
  shareWidth(group);
  return laidOut;
}

/** Puts each block of an overlapping group into the first free column and widens it into free columns on its right. */
function shareWidth(group: LaidOut<unknown>[]): void {
  const columns: LaidOut<unknown>[][] = [];
  for (const item of group) {
    const free = columns.findIndex((column) => column.at(-1)!.end <= item.start);
    item.column = free === -1 ? columns.length : free;
    columns[item.column] = [...(columns[item.column] ?? []), item];
  }
  for (const item of group) {
    item.columns = columns.length;
    const isFree = (column: LaidOut<unknown>[]) =>
      column.every((other) => other.end <= item.start || other.start >= item.end);
    const taken = columns.findIndex((column, index) => index > item.column && !isFree(column));
    item.span = (taken === -1 ? columns.length : taken) - item.column;
  }
}
