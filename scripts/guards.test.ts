import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findBoundaryProblems, findUnseen } from './boundaries.mjs';
import { findWrongCitations } from './citations.ts';
import { addChecksums, checksumsPath, findEditedMigrations } from './migration-checksums.ts';
import { findTests, readIdList, readRows } from './requirements.ts';
import { findStructureProblems } from './structure.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Creates a small program with this project's layout and no problems, plus these files; returns its folder. */
function plant(planted: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'app-guards-'));
  folders.push(folder);
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'planted',
      type: 'module',
      imports: Object.fromEntries(
        ['domain', 'server', 'web', 'site'].map((side) => [`#${side}/*`, `./src/${side}/*`]),
      ),
    }),
    'src/domain/money.ts': 'export const pence = 100;',
    'src/domain/catalogue/rules.ts': `import { pence } from '../money.ts'; export const price = pence;`,
    'src/domain/bookings/rules.ts': `import { price } from '#domain/catalogue/rules.ts'; export const total = price;`,
    'src/server/platform/db.ts': 'export const db = 1;',
    'src/server/bookings/routes.ts': `import { db } from '../platform/db.ts'; import { total } from '#domain/bookings/rules.ts'; export const routes = db + total;`,
    'src/server/app.ts': `import { routes } from './bookings/routes.ts'; export const app = routes;`,
    'src/server/main.ts': `import { app } from './app.ts'; export default app;`,
    'src/web/ui/button.tsx': 'export function Button() { return <button disabled>Book</button>; }',
    'src/web/bookings/my-bookings.tsx': `import { Button } from '#web/ui/button.tsx'; import type { total } from '#domain/bookings/rules.ts'; export const MyBookings = () => <Button />; export type Total = typeof total;`,
    'src/web/main.tsx': `import { MyBookings } from './bookings/my-bookings.tsx'; export default MyBookings;`,
    ...planted,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  return folder;
}

describe('boundaries', () => {
  test('accepts a program that follows the rules', async () => {
    expect(await findBoundaryProblems(plant({}))).toEqual({ problems: [], moduleCount: 10 });
  });

  test.each([
    [
      'domain-is-pure',
      'src/domain/money.ts',
      `import { readFileSync } from 'node:fs'; export const pence = readFileSync;`,
    ],
    [
      'domain-is-pure',
      'src/domain/money.ts',
      `import type { Kysely } from 'kysely'; export type Pence = Kysely<unknown>; export const pence = 1;`,
    ],
    ['domain-kernel-knows-no-area', 'src/domain/time.ts', `export * from './catalogue/rules.ts';`],
    [
      'area-order-catalogue',
      'src/domain/catalogue/contract.ts',
      `export { total } from '#domain/bookings/rules.ts';`,
    ],
    [
      'area-order-catalogue',
      'src/server/catalogue/jobs.ts',
      `export type Routes = import('../bookings/routes.ts').Routes; { using lock = open(); }`,
    ],
    [
      'area-order-catalogue',
      'src/server/catalogue/queries.ts',
      `import type { routes } from '#server/bookings/routes.ts'; export type Routes = typeof routes;`,
    ],
    [
      'area-order-catalogue',
      'src/web/catalogue/templates.tsx',
      `export const load = () => import('#web/bookings/my-bookings.tsx');`,
    ],
    [
      'platform-knows-no-area',
      'src/server/platform/jobs.ts',
      `import { routes } from '../bookings/routes.ts'; export const jobs = routes;`,
    ],
    [
      'platform-knows-no-area',
      'src/server/platform/jobs.ts',
      `import { price } from '#domain/catalogue/rules.ts'; export const jobs = price;`,
    ],
    [
      'ui-knows-no-area',
      'src/web/ui/card.tsx',
      `import { MyBookings } from '../bookings/my-bookings.tsx'; export const Card = () => <MyBookings />;`,
    ],
    [
      'app-knows-early-areas-only',
      'src/web/app/layout.tsx',
      `import { MyBookings } from '#web/bookings/my-bookings.tsx'; export const Layout = () => <MyBookings />;`,
    ],
    [
      'web-apart-from-server',
      'src/web/bookings/earnings.tsx',
      `import { db } from '#server/platform/db.ts'; export const Earnings = () => <p>{db}</p>;`,
    ],
    [
      'server-apart-from-web',
      'src/server/bookings/mail.ts',
      `import { Button } from '#web/ui/button.tsx'; export const mail = Button;`,
    ],
    [
      'site-renders-only',
      'src/site/landing.tsx',
      `import { MyBookings } from '#web/bookings/my-bookings.tsx'; export const Landing = () => <MyBookings />;`,
    ],
    [
      'site-rendered-by-roots-only',
      'src/server/bookings/draw.ts',
      `import { Landing } from '#site/landing.tsx'; export const draw = Landing;`,
      'src/site/landing.tsx',
    ],
    [
      'tools-stand-alone',
      'tools/bank.ts',
      `import { pence } from '../src/domain/money.ts'; export const bank = pence;`,
    ],
    [
      'tools-launched-by-roots-only',
      'src/server/bookings/pay.ts',
      `import { bank } from '../../../tools/bank.ts'; export const pay = bank;`,
      'tools/bank.ts',
    ],
    [
      'embedded-knows-no-area',
      'src/server/embedded/backup.ts',
      `import { routes } from '../bookings/routes.ts'; export const backup = routes;`,
    ],
    [
      'embedded-used-by-roots-only',
      'src/server/bookings/keep.ts',
      `import { backup } from '../embedded/backup.ts'; export const keep = backup;`,
      'src/server/embedded/backup.ts',
    ],
    [
      'roots-are-not-imported',
      'src/server/bookings/book-slot.ts',
      `import { app } from '../app.ts'; export const bookSlot = app;`,
    ],
    [
      'tests-are-not-imported',
      'src/server/platform/log.ts',
      `import './log.test.ts'; export const log = 1;`,
      'src/server/platform/log.test.ts',
    ],
    [
      'no-cycle',
      'src/server/platform/db.ts',
      `import { log } from './log.ts'; export const db = log;`,
      'src/server/platform/log.ts',
    ],
    [
      'resolvable',
      'src/server/platform/log.ts',
      `import { gone } from './gone.ts'; export const log = gone;`,
    ],
    ['no-orphan', 'src/server/bookings/left-over.ts', 'export const leftOver = 1;'],
  ])('%s catches %s: %s', async (rule, path, text, other?: string) => {
    const others: Record<string, string> = other
      ? { [other]: `import { db } from './db.ts'; export const log = db;` }
      : {};
    const { problems } = await findBoundaryProblems(plant({ ...others, [path]: text }));
    expect(
      problems.some((problem) => problem.startsWith(`${rule}: ${path}`)),
      problems.join('\n'),
    ).toBe(true);
  });

  test('reports files whose imports were silently skipped', () => {
    const files = [
      { path: 'src/a.ts', text: `import { b } from './b.ts';\n` },
      { path: 'src/b.ts', text: 'export const b = 1;\n' },
      { path: 'src/c.tsx', text: '' },
    ];
    const modules = [
      { source: 'src/a.ts', dependencies: [] },
      { source: 'src/b.ts', dependencies: [] },
    ];
    expect(findUnseen(files, modules)).toEqual([
      'not-seen: the imports of src/a.ts were not checked',
      'not-seen: the imports of src/c.tsx were not checked',
    ]);
  });
});

describe('citations', () => {
  const tests = [{ path: 'src/server/a.test.ts', text: "test('keeps a promise [UX-1]', () => {});" }];
  const check = (text: string) => findWrongCitations([{ path: 'docs/a.md', text }], tests);

  test('accepts documents that cite existing tests and titles', () => {
    expect(check('Kept (`a.test.ts`: "keeps a\npromise"; `server/a.test.ts`).')).toEqual([]);
  });

  test('reports each cited test and title that does not exist', () => {
    expect(check('(`b.test.ts`; `a.test.ts`: "keeps a promise", "is quick")')).toEqual([
      'docs/a.md: there is no test b.test.ts',
      'docs/a.md: a.test.ts has no test "is quick"',
    ]);
  });
});

describe('structure', () => {
  test('accepts names and locations that follow the rules', () => {
    const paths = [
      'src/domain/bookings/contract.ts',
      'src/domain/bookings/rules.ts',
      'src/domain/bookings/rules.test.ts',
      'src/server/bookings/book-slot.ts',
      'src/server/test-support/test-database.test-support.ts',
      'src/web/bookings/my-bookings.tsx',
      'src/web/bookings/calendar/week-strip.tsx',
      'src/site/landing.tsx',
      'tools/stripe-sandbox/main.ts',
      'migrations/0001_accounts.sql',
      'e2e/bookings/book-a-lesson.spec.ts',
    ];
    const text = 'export function refuse() {}\n';
    expect(findStructureProblems(paths.map((path) => ({ path, text })))).toEqual([]);
  });

  test.each([
    ['src/server/bookings/bookSlot.ts', 'kebab-case'],
    ['src/server/bookings/utils.ts', '"utils" says nothing'],
    ['src/web/ui/date-helpers.ts', '"date-helpers" says nothing'],
    ['src/web/bookings/index.ts', '"index" says nothing'],
    ['src/server/platform/types.ts', '"types" says nothing'],
    ['src/server/services/mail.ts', '"services" says nothing'],
    ['src/server/orders/routes.ts', '"orders" is neither an area'],
    ['src/mobile/main.ts', 'src has only the sides'],
    ['src/web/bookings/calendar/parts/row.tsx', 'no folders inside'],
    ['src/site/catalogue/strip.tsx', 'no folders inside'],
    ['src/domain/bookings/refund.ts', 'refund.test.ts'],
    ['migrations/accounts.sql', '0001_accounts.sql'],
    ['e2e/book-a-lesson.spec.ts', 'the folder of an area'],
  ])('refuses %s', (path, sentence) => {
    const problems = findStructureProblems([{ path, text: 'export function refuse() {}\n' }]);
    expect(problems.join('\n')).toContain(sentence);
  });

  test('refuses more than 25 files on one level of a folder', () => {
    const paths = Array.from({ length: 26 }, (_, i) => `src/server/bookings/refunds/refund-${i}.ts`);
    const problems = findStructureProblems(paths.map((path) => ({ path, text: '' })));
    expect(problems).toEqual([
      'src/server/bookings/refunds: 26 files on one level, more than 25; sort them into folders',
    ]);
  });

  test('refuses a file of more than 300 lines and says how to split it', () => {
    const text = 'a\n'.repeat(301);
    const refusal = (path: string) => findStructureProblems([{ path, text }]).join();
    expect(refusal('src/server/bookings/book-slot.ts')).toContain(
      '301 lines, over the limit of 300; split it',
    );
    expect(refusal('src/domain/bookings/contract.ts')).toContain('a second contract beside it');
  });
});

describe('requirement coverage', () => {
  test('reads ids from titles only, and applies those of a describe block to its tests', () => {
    const source = `
      // [PAY-1] in a comment proves nothing
      describe('cards [PAY-1]', () => {
        test('saves [PAY-2, PAY-3]', () => expect('[PAY-4]').toBe(1));
        test.each([1])(\`charges \${1} [PAY-5]\`, () => {});
        test.skip('later [PAY-6]', () => {});
      });
      test.describe('screen [BOOK-1]', () => { test('shows', async () => { await test.step('[BOOK-2]', f); }); });`;
    expect(
      findTests('cards.test.ts', source).map(({ ids, isSkipped }) => [ids.join(' '), isSkipped]),
    ).toEqual([
      ['PAY-1 PAY-2 PAY-3', false],
      ['PAY-1 PAY-5', false],
      ['PAY-1 PAY-6', true],
      ['BOOK-1', false],
    ]);
  });

  test('reads requirement rows and id lists, and refuses duplicate ids', () => {
    expect([...readRows('- PAY-1 one\n- PAY-2 + two\n').keys()]).toEqual(['PAY-1', 'PAY-2']);
    expect(() => readRows('- PAY-1 one\n- PAY-1 two\n')).toThrow(/occurs twice/);
    expect(readIdList('ROLE-7, AUTH-9 to AUTH-11')).toEqual(['ROLE-7', 'AUTH-9', 'AUTH-10', 'AUTH-11']);
  });
});

describe('migrations', () => {
  const settings = { path: 'migrations/0001_settings.sql', text: 'create table site_settings ();\n' };
  const auth = { path: 'migrations/0002_auth.sql', text: 'create table users ();\n' };
  const list = (text: string) => ({ path: checksumsPath, text });
  const checksums = addChecksums('', [settings]);

  test('adds new migrations to the list and keeps all other lines', () => {
    expect(findEditedMigrations([settings, auth, list(checksums)])).toEqual([
      expect.stringContaining('migrations/0002_auth.sql: has no checksum yet'),
    ]);
    const both = addChecksums(checksums, [{ ...settings, text: 'edited' }, auth]);
    expect(both.startsWith(checksums)).toBe(true);
    expect(findEditedMigrations([settings, auth, list(both)])).toEqual([]);
  });

  test('refuses a listed migration that was edited or removed', () => {
    expect(findEditedMigrations([{ ...settings, text: 'drop table users;' }, list(checksums)])).toEqual([
      expect.stringContaining('migrations/0001_settings.sql: was edited after databases ran it'),
    ]);
    expect(findEditedMigrations([list(checksums)])).toEqual([
      expect.stringContaining('migrations/0001_settings.sql: was removed or renamed'),
    ]);
  });
});
