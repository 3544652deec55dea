import { type ComponentProps, createContext, useContext } from 'react';
import { cn } from './class-names.ts';

const StackedContext = createContext(false);

type TableProps = ComponentProps<'table'> & {
  /** The table's accessible name. */
  label: string;
  /** On a phone each row becomes a block of "label: value" lines; otherwise the table scrolls sideways. */
  isStacked?: boolean;
};

/** A table of records with hairlines between rows. Plain `<thead>`, `<tbody>`, `<tr>` inside, with `Th` and `Td`. */
export function Table({ label, isStacked = false, className, children, ...props }: TableProps) {
  return (
    <StackedContext value={isStacked}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="-mx-4 overflow-x-auto px-4 md:mx-0 md:px-0">
        <table
          aria-label={label}
          className={cn(
            'w-full border-collapse text-sm tabular-nums [&_tbody_tr]:border-b',
            isStacked &&
              'max-md:block max-md:*:block max-md:[&_thead]:sr-only max-md:[&_tr]:block max-md:[&_tr]:py-3',
            className,
          )}
          {...props}
        >
          {children}
        </table>
      </section>
    </StackedContext>
  );
}

/** A column's heading; `isNumeric` aligns it right, above right-aligned figures. */
export function Th({
  isNumeric = false,
  className,
  ...props
}: ComponentProps<'th'> & { isNumeric?: boolean }) {
  return (
    <th
      scope="col"
      className={cn(
        'border-b px-3 py-2.5 base:text-left text-xs font-medium whitespace-nowrap text-muted-foreground first:pl-0 last:pr-0',
        isNumeric && 'text-right',
        className,
      )}
      {...props}
    />
  );
}

/** A cell; `label` repeats the column's heading beside the value when rows are stacked on a phone. */
export function Td({
  isNumeric = false,
  label,
  className,
  children,
  ...props
}: ComponentProps<'td'> & { isNumeric?: boolean; label?: string }) {
  const isStacked = useContext(StackedContext);
  return (
    <td
      className={cn(
        'px-3 base:py-3 base:align-middle first:pl-0 last:pr-0',
        isNumeric && 'text-right',
        isStacked &&
          'base:max-md:flex base:max-md:items-center base:max-md:justify-between base:max-md:gap-4 max-md:px-0 max-md:py-1',
        className,
      )}
      {...props}
    >
      {isStacked && label && <span className="text-xs text-muted-foreground md:hidden">{label}</span>}
      {children}
    </td>
  );
}

/** A dash for a cell without a value; screen readers say "none". */
export function NoValue() {
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">none</span>
    </>
  );
}
