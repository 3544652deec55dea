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

/** The hue of each sport in degrees, for its dot and its lessons in the calendar; the same on every screen. */
export const sportHues: Record<Sport, number> = {
  tennis: 116,
  football: 150,
  swimming: 225,
  athletics: 30,
  cricket: 85,
  golf: 135,
  boxing: 20,
  yoga: 300,
  basketball: 50,
  rugby: 170,
  cycling: 95,
  climbing: 65,
  badminton: 105,
  hockey: 195,
  gymnastics: 325,
  rowing: 250,
  fitness: 345,
  other: 0,
};
