import { expect, test } from 'vitest';
import { shortenName, webcalAddress } from './calendar-rules.ts';

test.each([
  ['Alex Morgan', 'Alex M.'],
  ['Zoë van der Berg', 'Zoë B.'],
  ['  zoë   élodie ', 'zoë É.'],
  ['Madonna', 'Madonna'],
  ['Ann 07700 900123', 'Ann'],
  ['07700900123', 'Anonymous'],
  ['+44(0)7700900123 Ann', 'Anonymous'],
  ['ana@club.example', 'Anonymous'],
  ['', 'Anonymous'],
  [null, 'Anonymous'],
])('shortens the name %s to %s [NOTE-12a]', (fullName, short) => {
  expect(shortenName(fullName)).toBe(short);
});

test('changes only the scheme of an address to webcal', () => {
  expect(webcalAddress('https://club.example/calendar/x.ics')).toBe('webcal://club.example/calendar/x.ics');
  expect(webcalAddress('http://127.0.0.1:3000/calendar/x.ics')).toBe(
    'webcal://127.0.0.1:3000/calendar/x.ics',
  );
});
