import * as MenuPrimitive from 'radix-ui/dropdown-menu';
import type { ComponentProps } from 'react';
import { cn } from '../class-names.ts';

/**
 * A menu of actions behind a button: `DropdownMenu` > `DropdownMenuTrigger asChild` + `DropdownMenuContent`. Not
 * modal: a modal menu would hide the rest of the page from screen readers while the focus is still on the page.
 */
export function DropdownMenu(props: ComponentProps<typeof MenuPrimitive.Root>) {
  return <MenuPrimitive.Root modal={false} {...props} />;
}
export const DropdownMenuTrigger = MenuPrimitive.Trigger;

/** The menu's floating list of items. */
export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof MenuPrimitive.Content>) {
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'z-50 base:min-w-48 rounded-lg border bg-popover p-1 text-sm shadow-float outline-none',
          'data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in',
          className,
        )}
        {...props}
      />
    </MenuPrimitive.Portal>
  );
}

const itemClasses = cn(
  'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 outline-none select-none touch:h-11',
  'data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-accent',
  '[&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground',
);

/** One action; `onSelect` runs it. `asChild` for a link. */
export function DropdownMenuItem({
  className,
  isDestructive = false,
  ...props
}: ComponentProps<typeof MenuPrimitive.Item> & { isDestructive?: boolean }) {
  return (
    <MenuPrimitive.Item
      className={cn(
        itemClasses,
        isDestructive && 'text-destructive data-highlighted:bg-destructive-soft [&_svg]:text-destructive',
        className,
      )}
      {...props}
    />
  );
}

/** A line above the menu's items that states their purpose. */
export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return (
    <MenuPrimitive.Label className={cn('px-2.5 py-2 text-xs text-muted-foreground', className)} {...props} />
  );
}

/** A hairline between kinds of actions. */
export function DropdownMenuSeparator() {
  return <MenuPrimitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}
