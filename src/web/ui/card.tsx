import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names.ts';

/** A surface with a hairline border, for one separate item (a lesson, a plan); not for grouping text. */
export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('rounded-lg border bg-card base:p-4 base:md:p-5', className)} {...props} />;
}

type SectionProps = {
  title: string;
  description?: ReactNode;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  className?: string;
  /** The URL fragment that links to this section. */
  id?: string;
  children?: ReactNode;
};

/**
 * A section of a page: a level-two heading, a description, actions, and a hairline above it, except for the first
 * section. A list that ends a section has no hairline below it, except in the last section.
 */
export function Section({ title, description, actions, className, id, children }: SectionProps) {
  return (
    <section
      id={id}
      className={cn(
        'base:border-t base:py-8 base:first-of-type:border-t-0 base:first-of-type:pt-0',
        'not-last-of-type:[&>:is(ol,ul):last-child]:border-b-0',
        className,
      )}
    >
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2>{title}</h2>
          {description && <p className="mt-1.5 max-w-reading text-sm text-muted-foreground">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
