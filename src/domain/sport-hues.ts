import type { Sport } from './sports.ts';

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
