import type { CSSProperties } from 'react';
import { sportHues } from '#domain/sport-hues.ts';
import { type Sport, sports } from '#domain/sports.ts';
import { cn } from './class-names.ts';

/**
 * Sets the sport for the classes `bg-sport`, `bg-sport-soft`, `border-sport`, `bg-sport-solid` and
 * `text-sport-solid-foreground` on this element and inside it.
 */
export function sportStyle(sport: Sport): CSSProperties {
  return { '--sport-hue': sportHues[sport] } as CSSProperties;
}

/** A dot in the colour of a sport, beside its name. */
export function SportDot({ sport, className }: { sport: Sport; className?: string }) {
  return (
    <span
      aria-hidden
      style={sportStyle(sport)}
      className={cn('inline-block size-2.5 shrink-0 rounded-full bg-sport', className)}
    />
  );
}

/** A sport's name after its dot. */
export function SportName({ sport }: { sport: Sport }) {
  return (
    <span className="inline-flex items-center gap-2">
      <SportDot sport={sport} />
      {sports[sport]}
    </span>
  );
}
