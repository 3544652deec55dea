import { expect, test } from 'vitest';
import { createLog, redactAddresses } from './log.ts';

test('removes email addresses from every line of the log', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const error = Object.assign(new Error('550 <c70@club.test>: unknown'), {
    detail: "Key (email)=(zoë.o'neil+x@sub.club.test) already exists.",
  });
  log.error(
    { err: error, path: '/confirm?email=ana%40club.test' },
    'refused\nben@localhost\u0001dan@club.test',
  );
  const line = JSON.parse(lines.join(''));
  expect(lines.join('')).not.toMatch(/c70|zoë|neil|ana|ben|dan|club\.test/);
  expect(line).toMatchObject({ msg: 'refused\n[address]\u0001[address]', path: '/confirm?email=[address]' });
  expect(line.err.detail).toBe('Key (email)=([address]) already exists.');
});

test('removes the token of a calendar feed from every line of the log [NOTE-12b]', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const token = 'demo-coach-calendar-00000000000000000000000';
  log.info({ path: `/calendar/${token}.ics` }, `GET /calendar/${token}.ics`);
  log.error({ err: new Error(`cut: ?next=%2Fcalendar%2F${token}.ics`) });
  expect(lines.join('')).not.toContain(token);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    path: '/calendar/[token].ics',
    msg: 'GET /calendar/[token].ics',
  });
});

test('removes the values of a row that PostgreSQL refuses from every line of the log [PART-6]', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const error = Object.assign(
    new Error('new row for relation "participants" violates check constraint "c"'),
    {
      detail: 'Failing row contains (1, dependant, Mia "Mi" (Morgan), null, 2016-05-28).',
      table: 'participants',
    },
  );
  log.error({ err: error, path: '/api/participants' });
  expect(lines.join('')).not.toMatch(/Mia|Morgan|2016/);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    err: { detail: 'Failing row contains [row].', table: 'participants' },
    path: '/api/participants',
  });
});

test('leaves the paths of scoped packages in a stack trace readable', () => {
  const stack = 'at file:///srv/node_modules/@hono/node-server/dist/index.mjs:1:2';
  expect(redactAddresses(stack)).toBe(stack);
});
