import { expect, test } from 'vitest';
import { clausesOf, findTests, isProven, readIdList, readRows } from './requirements.ts';

const document = `
Delivered: ROW-1 to ROW-2.

- ROW-1 Says one thing.
- ROW-2 Says two things.
  - ROW-2a The first.
  - ROW-2b The second.
- ROW-20 Is another row.
`;
const rows = readRows(document);

test('reads rows and their clauses', () => {
  expect([...rows.keys()]).toEqual(['ROW-1', 'ROW-2', 'ROW-2a', 'ROW-2b', 'ROW-20']);
  expect(clausesOf('ROW-2', rows)).toEqual(['ROW-2a', 'ROW-2b']);
  expect(clausesOf('ROW-1', rows)).toEqual([]);
  expect(() => readRows(`${document}- ROW-1 Again.`)).toThrow('ROW-1 occurs twice');
  expect(() => readRows('  - ROW-3a Without its row.')).toThrow('Clause ROW-3a has no row ROW-3');
  expect(readIdList('ROW-1 to ROW-2, ROW-20')).toEqual(['ROW-1', 'ROW-2', 'ROW-20']);
});

test('counts a row with clauses as proven once tests name all of its clauses', () => {
  const proven = (...named: string[]) => [...rows.keys()].filter((id) => isProven(id, rows, new Set(named)));
  expect(proven('ROW-1', 'ROW-2a')).toEqual(['ROW-1', 'ROW-2a']);
  expect(proven('ROW-2a', 'ROW-2b')).toEqual(['ROW-2', 'ROW-2a', 'ROW-2b']);
  expect(proven('ROW-2'), 'the id of the row proves no clause').toEqual([]);
});

test('finds the ids in a title and in the groups around it, but not in comments', () => {
  const source = `
    // test('in a comment [ROW-1]')
    describe('group [ROW-1]', () => {
      test('does it [ROW-2a, ROW-2b]', () => { test.step('[ROW-20]', () => {}); });
      test.skip(\`is left out \${1} [ROW-2]\`, () => {});
    });
  `;
  expect(findTests('some.test.ts', source)).toEqual([
    {
      file: 'some.test.ts',
      title: 'does it [ROW-2a, ROW-2b]',
      ids: ['ROW-1', 'ROW-2a', 'ROW-2b'],
      isSkipped: false,
    },
    { file: 'some.test.ts', title: 'is left out … [ROW-2]', ids: ['ROW-1', 'ROW-2'], isSkipped: true },
  ]);
});
