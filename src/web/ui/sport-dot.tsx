import type { CSSProperties } from 'react';
import { cn } from './class-names.ts';

/** Hue in degrees per sport slug, defined once, so that a sport has the same colour on every screen. */
const hues: Record<string, number> = {
  athletics: 30,
  badminton: 105,
  basketball: 50,
  boxing: 20,
  climbing: 65,
  cricket: 85,
  cycling: 95,
  fitness: 345,
  football: 150,
  golf: 135,
  gymnastics: 325,
  hockey: 195,
  'martial-arts': 10,
  netball: 310,
  pilates: 280,
  rowing: 250,
  rugby: 170,
  running: 40,
  sailing: 238,
  squash: 215,
  swimming: 225,
  'table-tennis': 260,
  tennis: 116,
  yoga: 300,
};

/**
 * The hue of a sport by slug or name ("Table tennis"); an unknown one gets a hue that is always the same for its
 * name.
 */
export function sportHue(sport: string): number {
  const slug = sport.trim().toLowerCase().replaceAll(/\s+/g, '-');
  const known = hues[slug];
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of slug) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return (hash % 24) * 15;
}

/**
 * Sets the sport for the classes `bg-sport`, `bg-sport-soft`, `border-sport`, `bg-sport-solid` and
 * `text-sport-solid-foreground` below.
 */
export function sportStyle(sport: string): CSSProperties {
  return { '--sport-hue': sportHue(sport) } as CSSProperties;
}

/** A dot in the colour of a sport, beside its name. */
export function SportDot({ sport, className }: { sport: string; className?: string }) {
  return (
    <span
      aria-hidden
      style={sportStyle(sport)}
      className={cn('inline-block size-2.5 shrink-0 rounded-full bg-sport', className)}
    />
  );
}
