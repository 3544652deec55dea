import { expect, it } from 'vitest';
import { csvDay, csvTime, datedCsvName, writeCsv } from './csv.ts';

type Cell = string | { cents: number };
const write = (rows: Cell[]) =>
  writeCsv({ fileName: 'cells.csv', columns: { cell: (cell: Cell) => cell }, rows }).csv;

it('writes a header and quotes cells as RFC 4180 requires', () => {
  const columns = { first_name: (row: string[]) => row[0]!, note: (row: string[]) => row[1]! };
  const file = writeCsv({
    fileName: 'notes.csv',
    columns,
    rows: [
      ['Zoë', ''],
      ['O"Neil, Smith', 'two\nlines'],
    ],
  });
  expect(file).toEqual({
    fileName: 'notes.csv',
    csv: 'first_name,note\r\nZoë,\r\n"O""Neil, Smith","two\nlines"\r\n',
  });
  expect(writeCsv({ fileName: 'none.csv', columns, rows: [] }).csv).toBe('first_name,note\r\n');
});

it('escapes text that a spreadsheet would evaluate, but not amounts', () => {
  for (const formula of ['=1+1', '+44', '@home', '-2', '\tx', '＝1+1']) {
    expect(write([formula])).toBe(`cell\r\n'${formula}\r\n`);
  }
  for (const plain of ['Ana - Tennis', 'a=b', '']) expect(write([plain])).toBe(`cell\r\n${plain}\r\n`);
  expect(write([{ cents: -4950 }, { cents: 5 }])).toBe('cell\r\n-49.50\r\n0.05\r\n');
});

it('writes days and times in London time', () => {
  expect(csvTime('2027-03-27T23:30:05Z')).toBe('2027-03-27 23:30:05');
  expect(csvTime('2027-06-27T23:30:05Z')).toBe('2027-06-28 00:30:05');
  expect(csvDay('2027-06-27T23:30:05Z')).toBe('2027-06-28');
  expect(datedCsvName('payments')).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
});
