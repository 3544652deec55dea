/** The nations of the United Kingdom, with names. */
export const nationNames = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  northern_ireland: 'Northern Ireland',
} as const;
export type Nation = keyof typeof nationNames;
export const nations = Object.keys(nationNames) as [Nation, ...Nation[]];
