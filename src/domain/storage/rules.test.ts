import { expect, test } from 'vitest';
import { isBucket, readObjectPath, readUploadMetadata, refuseFullBucket, refuseMetadata } from './rules.ts';

const owner = '0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55';

test('reads the segments of a path', () => {
  expect(readObjectPath(`${owner}/avatar`)).toEqual([owner, 'avatar']);
  expect(readObjectPath(`${owner}/term-1/court_2.webp`)).toEqual([owner, 'term-1', 'court_2.webp']);
});

test.each([
  ...['', owner, `${owner}/`, `/${owner}/a`, `${owner}//a`, `${owner}/../a`, `${owner}/..`, `${owner}/.a`],
  ...[`${owner}/a..b`, `${owner}/a b`, `${owner}/a\\b`, `${owner}/a\0`, `${owner}/%2e%2e`, `${owner}/é`],
  ...[`${owner}/${'a'.repeat(102)}`, `${owner}/1/2/3/4/5`, `${owner}/-a`],
])('refuses the path %j', (path) => {
  expect(readObjectPath(path)).toBeNull();
});

test('accepts only the names of buckets, not properties that every object has', () => {
  expect(['avatars', 'gallery', 'documents', 'attachments'].every(isBucket)).toBe(true);
  expect(['constructor', '__proto__', 'avatar', ''].some(isBucket)).toBe(false);
});

test('refuses uploads to a full bucket or beyond 50 MB', () => {
  expect(refuseFullBucket('avatars', { objects: 0, bytes: 0 }, 1)).toBeNull();
  expect(refuseFullBucket('avatars', { objects: 1, bytes: 0 }, 1)?.message).toBe(
    'You already have a picture of yourself. Replace it, or remove it before you add another.',
  );
  expect(refuseFullBucket('gallery', { objects: 11, bytes: 0 }, 1)).toBeNull();
  expect(refuseFullBucket('gallery', { objects: 12, bytes: 0 }, 1)?.message).toBe(
    'You can keep 12 gallery pictures. Remove one first.',
  );
  expect(refuseFullBucket('gallery', { objects: 1, bytes: 50 * 1024 * 1024 }, 1)?.message).toContain('50 MB');
});

test("reads a client's metadata from any JSON value", () => {
  const nothing = { alt: '', isConsentConfirmed: false };
  for (const given of [undefined, null, 7, 'text', [], { alt: 5, isConsentConfirmed: 'true' }]) {
    expect(readUploadMetadata(given)).toEqual(nothing);
  }
  expect(readUploadMetadata({ alt: ' Serving ', isConsentConfirmed: true })).toEqual({
    alt: 'Serving',
    isConsentConfirmed: true,
  });
});

test("requires consent for gallery pictures and checks a picture's description", () => {
  expect(refuseMetadata('gallery', { alt: '', isConsentConfirmed: false })?.fields).toEqual({
    isConsentConfirmed: 'Please confirm: “Everyone who can be recognised has agreed”.',
  });
  expect(refuseMetadata('gallery', { alt: '', isConsentConfirmed: true })).toBeNull();
  expect(refuseMetadata('avatars', { alt: '', isConsentConfirmed: false })).toBeNull();
  expect(
    refuseMetadata('avatars', { alt: 'a'.repeat(301), isConsentConfirmed: false })?.fields,
  ).toHaveProperty('alt');
  expect(refuseMetadata('avatars', { alt: '\ud800', isConsentConfirmed: false })?.fields).toHaveProperty(
    'alt',
  );
});
