/** The sports of lessons: slug in the database and in URLs, name on the screen. */
export const sports = {
  tennis: 'Tennis',
  football: 'Football',
  swimming: 'Swimming',
  athletics: 'Athletics',
  cricket: 'Cricket',
  golf: 'Golf',
  boxing: 'Boxing',
  yoga: 'Yoga',
  basketball: 'Basketball',
  rugby: 'Rugby',
  cycling: 'Cycling',
  climbing: 'Climbing',
  badminton: 'Badminton',
  hockey: 'Hockey',
  gymnastics: 'Gymnastics',
  rowing: 'Rowing',
  fitness: 'Fitness',
  other: 'Other',
} as const;

export type Sport = keyof typeof sports;
export const sportSlugs = Object.keys(sports) as [Sport, ...Sport[]];
