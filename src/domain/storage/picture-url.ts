/** The URL of one stored size of a picture; `url` is the picture's URL as the API returns it, which has a query. */
export const sizedUrl = (url: string, size: number): string => `${url}&size=${size}`;

/** The width and height in pixels of a picture scaled down to a longest side of `size`; it is never enlarged. */
export function fitInside(picture: { width: number; height: number }, size: number) {
  const scale = Math.min(1, size / Math.max(picture.width, picture.height));
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
}

/** The `srcset` of a picture from its stored sizes, each with its real width. */
export const srcSetOf = (
  picture: { url: string; width: number; height: number },
  sizes: readonly number[],
): string =>
  sizes.map((size) => `${sizedUrl(picture.url, size)} ${fitInside(picture, size).width}w`).join(', ');
