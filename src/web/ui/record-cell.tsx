import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Td } from './table.tsx';

type RecordCellProps = Pick<LinkProps, 'to' | 'params'> & {
  label: string;
  name: string;
  /** A line about the record in small type. */
  children: ReactNode;
  /** Shown below that line. */
  notes?: ReactNode;
};

/** The cell of a `Table` that names the row's record and links to its page. */
export function RecordCell({ label, name, children, notes, ...target }: RecordCellProps) {
  return (
    <Td label={label}>
      <span className="max-md:text-right">
        <Link
          {...target}
          className="inline-flex items-center font-medium wrap-anywhere hover:underline touch:min-h-11"
        >
          {name}
        </Link>
        <span className="block text-xs wrap-anywhere text-muted-foreground">{children}</span>
        {notes}
      </span>
    </Td>
  );
}
