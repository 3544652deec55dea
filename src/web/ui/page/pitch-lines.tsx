import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';

function Illustration({ className, ...props }: ComponentProps<'svg'>) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cn('pointer-events-none shrink-0 base:text-chalk', className)}
      {...props}
    />
  );
}

/** The corner of a pitch: two lines, the quarter arc and the flag's foot. Used behind headings and in empty corners. */
export function CornerArc({ className }: { className?: string }) {
  return (
    <Illustration
      viewBox="0 0 160 160"
      className={cn('base:size-40', className)}
      vectorEffect="non-scaling-stroke"
    >
      <path d="M8 160V8h152" />
      <path d="M8 56A48 48 0 0 0 56 8" />
      <path d="M8 104h6M104 8v6" />
      <circle cx="8" cy="8" r="2.5" fill="currentColor" stroke="none" />
    </Illustration>
  );
}

/**
 * Half a pitch seen from above: halfway line, centre circle, penalty area and its arc. Any edge can be cropped.
 */
export function HalfPitch({ className }: { className?: string }) {
  return (
    <Illustration viewBox="0 0 520 680" preserveAspectRatio="xMidYMid slice" className={className}>
      <path d="M4 4h512v672H4z" />
      <circle cx="4" cy="340" r="91.5" />
      <circle cx="4" cy="340" r="3" fill="currentColor" stroke="none" />
      <path d="M516 138H351v404h165M516 248h-55v184h55" />
      <path d="M351 267a91.5 91.5 0 0 0 0 146" />
      <circle cx="406" cy="340" r="3" fill="currentColor" stroke="none" />
      <path d="M506 4a10 10 0 0 0 10 10M506 676a10 10 0 0 1 10-10" />
    </Illustration>
  );
}

/** A hairline with the halfway mark and centre spot: a divider between sections. */
export function HalfwayLine({ className }: { className?: string }) {
  const line = <span className="h-0 grow border-t-[1.5px] border-chalk" />;
  return (
    <div aria-hidden className={cn('flex items-center', className)}>
      {line}
      <Illustration viewBox="0 0 40 40" className="size-10">
        <circle cx="20" cy="20" r="19" />
        <circle cx="20" cy="20" r="2" fill="currentColor" stroke="none" />
      </Illustration>
      {line}
    </div>
  );
}

/** The illustration of an empty list: a ball at rest beside an empty centre circle. */
export function EmptyPitch({ className }: { className?: string }) {
  return (
    <Illustration viewBox="0 0 200 120" className={cn('base:h-28 w-auto', className)}>
      <path d="M6 114V6h188v108" />
      <path d="M100 6v108" />
      <path d="M64 114a36 36 0 0 1 72 0" />
      <path d="M6 24A18 18 0 0 0 24 6M194 24a18 18 0 0 1-18-18" />
      <g className="text-muted-foreground">
        <circle cx="150" cy="80" r="9" stroke="currentColor" />
        <path d="M150 76l4 3-1.500 4.500h-5L146 79z" stroke="currentColor" />
      </g>
    </Illustration>
  );
}

/** The illustration of a failure: a broken line with a ball above it. */
export function BrokenLine({ className }: { className?: string }) {
  return (
    <Illustration viewBox="0 0 200 120" className={cn('base:h-28 w-auto', className)}>
      <path d="M6 84h66M128 84h66" />
      <path d="M82 84h36" strokeDasharray="1 7" />
      <path d="M6 114V40M194 114V40" />
      <g className="text-muted-foreground">
        <circle cx="100" cy="44" r="9" stroke="currentColor" />
        <path d="M100 40l4 3-1.500 4.500h-5L96 43z" stroke="currentColor" />
      </g>
    </Illustration>
  );
}
