import { expect, it } from 'vitest';
import { formatPostcode, parseLocationSearch, type TextRange } from './location.ts';

const holds = ({ from, below }: TextRange, text: string) => text >= from && text < below;
const findsPostcode = (typed: string, postcode: string) =>
  parseLocationSearch(typed).postcodes.some((range) => holds(range, postcode));

it('finds a district but no district with a longer number', () => {
  expect(findsPostcode('M1', 'M1 4BT')).toBe(true);
  expect(findsPostcode('m1', 'M14 5RQ')).toBe(false);
  expect(findsPostcode('W1', 'W1A 1AA')).toBe(true);
  expect(findsPostcode('LS6', 'LS6 3AA')).toBe(true);
  expect(findsPostcode('LS1', 'LS16 3AA')).toBe(false);
});

it("finds an area's districts but not another area's districts", () => {
  expect(findsPostcode('M', 'M14 5RQ')).toBe(true);
  expect(findsPostcode('M', 'MK9 3XS')).toBe(false);
  expect(findsPostcode('ls', 'LS6 3AA')).toBe(true);
});

it('finds a sector, and a full postcode with any spacing', () => {
  expect(findsPostcode('LS6 3', 'LS6 3AA')).toBe(true);
  expect(findsPostcode('LS6 3', 'LS6 2AA')).toBe(false);
  expect(findsPostcode('ls63aa', 'LS6 3AA')).toBe(true);
  expect(findsPostcode(' LS6  3AA ', 'LS6 3AA')).toBe(true);
});

it('finds a town by the start of its name, ignoring case', () => {
  const finds = (typed: string, town: string) => holds(parseLocationSearch(typed).city, town.toLowerCase());
  expect(finds('newcastle', 'Newcastle upon Tyne')).toBe(true);
  expect(finds('LEEDS', 'Leeds')).toBe(true);
  expect(finds('Leeds', 'Lee')).toBe(false);
});

it('formats a postcode in capitals with one space', () => {
  expect(formatPostcode('ls63aa')).toBe('LS6 3AA');
  expect(formatPostcode('SW1A  1AA')).toBe('SW1A 1AA');
  expect(formatPostcode('LS6')).toBeNull();
});
