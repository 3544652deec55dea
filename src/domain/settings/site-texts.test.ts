import { expect, test } from 'vitest';
import { defaultSiteTexts, fillSiteText, readSiteText } from './site-texts.ts';

test('splits a text into headings, lists and paragraphs', () => {
  expect(readSiteText('## A\nOne\ntwo.\n\n- b\n- c\n\n- d\nnot a list\n\n\n')).toEqual([
    { kind: 'heading', text: 'A' },
    { kind: 'paragraph', text: 'One two.' },
    { kind: 'list', items: ['b', 'c'] },
    { kind: 'paragraph', text: '- d not a list' },
  ]);
  for (const text of Object.values(defaultSiteTexts)) {
    const headings = readSiteText(text).filter(({ kind }) => kind === 'heading');
    expect(headings.length).toBeGreaterThan(0);
  }
});

test('fills in the brand and the contact address, or a fallback', () => {
  const site = { brand: 'Riverside', contactEmail: 'desk@club.test' };
  expect(fillSiteText('{brand}: {contact}, {brand}', site)).toBe('Riverside: desk@club.test, Riverside');
  expect(fillSiteText('Write to {contact}.', { ...site, contactEmail: null })).toBe(
    'Write to the address that our emails come from.',
  );
});
