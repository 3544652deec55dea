import { expect, test } from 'vitest';
import { isSameContent, lessonContentFields } from './lesson-content.ts';

const sold = { title: 'Tennis basics', description: 'Forehand and serve.', sport: 'tennis' } as const;

test('treats any differing character as a change of content', () => {
  expect(isSameContent(sold, { ...sold })).toBe(true);
  expect(lessonContentFields).toEqual(Object.keys(sold));
  expect(isSameContent(sold, { ...sold, title: 'Tennis Basics' })).toBe(false);
  expect(isSameContent(sold, { ...sold, description: 'Forehand and serve' })).toBe(false);
  expect(isSameContent(sold, { ...sold, sport: 'badminton' })).toBe(false);
});
