import * as TabsPrimitive from 'radix-ui/tabs';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/**
 * Tabs for the views of one page; arrow keys move between them. Set `value`/`onValueChange` to keep the choice in the
 * URL.
 */
export function Tabs({ className, ...props }: ComponentProps<typeof TabsPrimitive.Root>) {
  return <TabsPrimitive.Root className={cn('flex flex-col gap-6', className)} {...props} />;
}

/** Scrolls a row of tabs sideways to the selected tab, because a link may open a tab at the end of the row. */
const revealSelected = (list: HTMLElement | null) =>
  list?.querySelector('[data-state=active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The row of tabs on a hairline; scrolls sideways on a phone. `aria-label` names the set of tabs. */
export function TabsList({
  className,
  ...props
}: ComponentProps<typeof TabsPrimitive.List> & { 'aria-label': string }) {
  return (
    <TabsPrimitive.List
      ref={revealSelected}
      className={cn('flex gap-4 sm:gap-6 overflow-x-auto border-b [scrollbar-width:none]', className)}
      {...props}
    />
  );
}

/** One tab; `count`, such as the number of open bookings, is shown after the label. */
export function TabsTrigger({
  className,
  count,
  children,
  ...props
}: ComponentProps<typeof TabsPrimitive.Trigger> & { count?: number }) {
  return (
    <TabsPrimitive.Trigger
      className={cn(
        'inline-flex h-11 shrink-0 items-center gap-2 border-b-2 border-transparent px-0.5 text-sm font-medium whitespace-nowrap',
        'text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2',
        'data-[state=active]:border-primary data-[state=active]:text-foreground disabled:opacity-50',
        className,
      )}
      {...props}
    >
      {children}
      {count !== undefined && (
        <span className="rounded-full bg-muted px-1.5 text-xs text-muted-foreground tabular-nums">
          {count}
        </span>
      )}
    </TabsPrimitive.Trigger>
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof TabsPrimitive.Content>) {
  return <TabsPrimitive.Content className={cn('outline-offset-4', className)} {...props} />;
}
