import { expect, test } from 'vitest';
import { fitInside, sizedUrl, srcSetOf } from './picture-url.ts';

const url = '/storage/v1/object/public/gallery/owner/court?v=1f0c3b7e';

test('adds one stored size to the URL', () => {
  expect(sizedUrl(url, 128)).toBe(`${url}&size=128`);
});

test('never enlarges a picture', () => {
  expect(fitInside({ width: 1600, height: 1200 }, 400)).toEqual({ width: 400, height: 300 });
  expect(fitInside({ width: 300, height: 200 }, 400)).toEqual({ width: 300, height: 200 });
  expect(fitInside({ width: 1600, height: 1 }, 400)).toEqual({ width: 400, height: 1 });
});

test('lists each size with its real width', () => {
  expect(srcSetOf({ url, width: 800, height: 1600 }, [1600, 800, 400])).toBe(
    `${url}&size=1600 800w, ${url}&size=800 400w, ${url}&size=400 200w`,
  );
});
