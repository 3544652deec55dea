import { describe, expect, test } from 'vitest';
import { findPasswordWeakness } from './password-strength.ts';

const isFrequent = (word: string) => ['password', 'liverpool', 'trustno1', 'dragonfly'].includes(word);
const own = ['Kim Vale-Ross', 'kim.vale@club.example', 'Example Brand'];
const reasonsOf = (password: string) => findPasswordWeakness(password, { own, isFrequent })?.reasons ?? null;

describe('the password check', () => {
  test('accepts 8 to 200 characters', () => {
    expect(findPasswordWeakness('1234567')?.message).toMatch(/at least 8/);
    expect(findPasswordWeakness('goal-kck')).toBeNull();
    const long = 'the ball is round and '.repeat(10);
    expect(findPasswordWeakness(long.slice(0, 200))).toBeNull();
    expect(findPasswordWeakness(long.slice(0, 201))?.message).toMatch(/at most 200/);
  });

  test.each(['password', 'Password', 'LIVERPOOL', 'trustno1', 'liverpool2026!', 'p4ssw0rd', 'P@$$word99'])(
    'refuses a common password: %s',
    (password) => expect(reasonsOf(password)).toEqual(['pwned']),
  );

  test.each([
    ...['12345678', '87654321', 'aaaaaaaa', 'abababab', 'qwertyuiop', 'asdfghjkl', 'abcd1234'],
    ...['poiuytrewq', 'kim1kim1kim1', '1111122222', 'x'.repeat(200), '0987654321'],
  ])('refuses a pattern: %s', (password) => expect(reasonsOf(password)).toEqual(['characters']));

  test.each([
    'example-brand',
    'Example-Brand-2026',
    'kimvaleross',
    'Kim.Vale99',
    'kim.vale@club.example',
    'vale-kim-1',
  ])('refuses personal details and the brand: %s', (password) =>
    expect(reasonsOf(password)).toEqual(['characters']),
  );

  test.each([
    ...['orange-corner-flag', 'correct-horse-battery', 'purple-touch-line', 'dragonfly on the crossbar'],
    ...[
      'kim-likes-rainy-tuesdays',
      'zażółć gęślą jaźń',
      'vX2#pq9!',
      'demo-lesson-2026',
      '進撃のコーチと白い線',
    ],
  ])('accepts a password that is hard to guess: %s', (password) => expect(reasonsOf(password)).toBeNull());
});
