import { Link } from '@tanstack/react-router';
import Check from 'lucide-react/icons/check';
import { type ReactNode, useState } from 'react';
import type { FirstStep, firstStepsApi } from '#domain/account/first-steps-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { writeWallTime } from '#web/bookings/calendar/calendar-search.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';

type Steps = OutputOf<typeof firstStepsApi.list>['steps'];

const labels: Record<FirstStep, string> = {
  profile: 'Complete your profile',
  picture: 'Add your picture',
  location: 'Add a location',
  template: 'Create a template',
  lessons: 'Publish your first lessons',
  bankDetails: 'Enter your bank details',
  checks: 'Provide your checks and documents',
};

/** A new coach's first steps, each a link to its screen until it is done. Phones show only the next step at first. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const [isWhole, setIsWhole] = useState(false);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.step;
  return (
    <section
      aria-label="Your first steps"
      className="mb-5 rounded-lg border bg-card px-4 py-3 md:mb-6 md:px-5 md:py-4"
    >
      <div className="flex flex-wrap items-baseline gap-x-3">
        {/* No heading, because it comes before the h1. */}
        <p className="font-semibold">Your first steps</p>
        <p className="text-sm text-muted-foreground tabular-nums">
          {done} of {steps.length} done
        </p>
        <Button
          variant="link"
          className="ml-auto md:hidden"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show only the next step' : 'Show all'}
        </Button>
      </div>
      <ol className="mt-1 grid gap-x-6 sm:grid-cols-2 md:mt-2 lg:grid-cols-3">
        {steps.map(({ step, isDone }, index) => (
          <li
            key={step}
            className={cn(
              'flex min-h-11 items-center gap-3 text-sm md:min-h-9',
              !isWhole && step !== next && 'max-md:hidden',
            )}
          >
            <span
              aria-hidden
              className={cn(
                'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums',
                isDone && 'bg-success-soft text-success',
              )}
            >
              {isDone ? <Check className="size-3.5" /> : index + 1}
            </span>
            {isDone ? (
              <span className="text-muted-foreground">
                {labels[step]}
                <span className="sr-only"> (done)</span>
              </span>
            ) : (
              <StepLink step={step}>{labels[step]}</StepLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const pages = {
  profile: '/coach/business',
  picture: '/account',
  location: '/coach/locations',
  template: '/coach/templates',
  bankDetails: '/coach/bank-details',
  checks: '/coach/verification',
} as const satisfies Record<Exclude<FirstStep, 'lessons'>, string>;

function StepLink({ step, children }: { step: FirstStep; children: ReactNode }) {
  const className = 'inline-block py-2 font-medium text-primary underline underline-offset-4';
  if (step !== 'lessons') {
    return (
      <Link to={pages[step]} className={className}>
        {children}
      </Link>
    );
  }
  const create = writeWallTime({ date: addDays(wallTimeOf(Date.now()).date, 1), hour: 9, minute: 0 });
  return (
    <Link to="/coach/calendar" search={(shown) => ({ ...shown, create })} className={className}>
      {children}
    </Link>
  );
}
