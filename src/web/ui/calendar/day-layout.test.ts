import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayBlock, layOutDay } from './day-layout.ts';

const at = (start: number, end: number): DayBlock => ({ start: start * 60, end: end * 60 });
const lanesOf = (blocks: DayBlock[], minMinutes = 30) =>
  layOutDay(blocks, minMinutes).map(({ column, columns, span }) => [column, columns, span]);

const days = fc.array(
  fc
    .record({ start: fc.integer({ min: 0, max: 1439 }), length: fc.integer({ min: 1, max: 300 }) })
    .map(({ start, length }) => ({ start, end: Math.min(1440, start + length) })),
  { maxLength: 40 },
);

describe('The layout of a day', () => {
  it('gives the full width to blocks that do not overlap', () => {
    expect(lanesOf([at(9, 10), at(10, 11), at(14, 15)])).toEqual([
      [0, 1, 1],
      [0, 1, 1],
      [0, 1, 1],
    ]);
  });

  it('puts blocks that start together side by side, the longer block first', () => {
    const [first, second] = layOutDay([at(9, 10), at(9, 11)], 30);
    expect(first).toMatchObject({ block: at(9, 11), column: 0, columns: 2, span: 1 });
    expect(second).toMatchObject({ block: at(9, 10), column: 1, columns: 2, span: 1 });
  });

  it('reuses free columns and widens blocks into them', () => {
    // Three blocks start at 9, side by side. At 11 only one column is still taken, so the last block spans two.
    expect(lanesOf([at(9, 12), at(9, 10), at(9, 10), at(11, 12)])).toEqual([
      [0, 3, 1],
      [1, 3, 1],
      [2, 3, 1],
      [1, 3, 2],
    ]);
  });

  it('puts blocks side by side if their minimum height makes them overlap', () => {
    expect(
      lanesOf([
        { start: 540, end: 555 },
        { start: 555, end: 570 },
      ]),
    ).toEqual([
      [0, 2, 1],
      [1, 2, 1],
    ]);
    expect(
      lanesOf([
        { start: 540, end: 570 },
        { start: 570, end: 600 },
      ]),
    ).toEqual([
      [0, 1, 1],
      [0, 1, 1],
    ]);
  });

  it('keeps a short block before midnight inside the day', () => {
    expect(layOutDay([{ start: 1425, end: 1440 }], 50)[0]).toMatchObject({ start: 1390, end: 1440 });
  });

  it('keeps all blocks inside the day without overlap', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 15, max: 60 }), (blocks, minMinutes) => {
        const laidOut = layOutDay(blocks, minMinutes);
        expect(laidOut.map(({ block }) => block)).toHaveLength(blocks.length);
        expect(new Set(laidOut.map(({ block }) => block))).toEqual(new Set(blocks));
        for (const [index, one] of laidOut.entries()) {
          expect(one.start).toBeGreaterThanOrEqual(0);
          expect(one.end).toBeLessThanOrEqual(1440);
          expect(one.end - one.start).toBeGreaterThanOrEqual(minMinutes);
          expect(one.column + one.span).toBeLessThanOrEqual(one.columns);
          for (const other of laidOut.slice(index + 1)) {
            if (other.start >= one.end || one.start >= other.end) continue;
            expect(other.columns).toBe(one.columns);
            const isBeside = one.column + one.span <= other.column || other.column + other.span <= one.column;
            expect(isBeside).toBe(true);
          }
        }
      }),
    );
  });
});
