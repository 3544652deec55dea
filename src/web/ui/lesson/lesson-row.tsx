import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../class-names.ts';

type LessonRowProps = ComponentProps<'li'> & {
  /** The lesson's date and time. */
  when: ReactNode;
  /** The amount, and any note about it. */
  price: ReactNode;
  /** Buttons and the number of seats left; without `actions` the row ends with the price. */
  actions?: ReactNode;
  actionsClass?: string;
};

/**
 * A lesson in a list: its time and price, its details below them, then the actions; side by side if the list is at
 * least 42 rem wide. The list must be an `@container`; `className` sets the columns: `@2xl:grid-cols-[…]`.
 */
export function LessonRow(props: LessonRowProps) {
  const { when, price, actions, actionsClass, className, children, ...rest } = props;
  return (
    <li
      {...rest}
      className={cn('grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 @2xl:items-center @2xl:gap-x-6', className)}
    >
      <p className="tabular-nums">{when}</p>
      <div className="col-span-2 row-start-2 min-w-0 @2xl:col-span-1 @2xl:col-start-2 @2xl:row-start-1">
        {children}
      </div>
      <div className="col-start-2 row-start-1 flex flex-col items-end gap-0.5 @2xl:col-start-3">{price}</div>
      {actions && (
        <div className={cn('col-span-2 @2xl:col-span-1 @2xl:col-start-4 @2xl:row-start-1', actionsClass)}>
          {actions}
        </div>
      )}
    </li>
  );
}
