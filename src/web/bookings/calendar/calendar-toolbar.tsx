import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { SubscribeButton } from '../calendar-feeds/subscribe-button.tsx';
import type { CalendarView } from './calendar-search.ts';

type CalendarToolbarProps = {
  view: CalendarView;
  /** The period shown: "16 – 22 Nov 2026". */
  title: string;
  isTodayShown: boolean;
  /** False if the screen has room for only one day. */
  hasViews: boolean;
  onToday: () => void;
  onStep: (step: 1 | -1) => void;
  onView: (view: CalendarView) => void;
  onCreate: () => void;
  children?: ReactNode;
};

/** The calendar's current period, the buttons to change it, the choice of view, and the button to create slots. */
export function CalendarToolbar(props: CalendarToolbarProps) {
  const { view, title, isTodayShown, hasViews, onToday, onStep, onView, onCreate, children } = props;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 md:mb-4">
      <div className="mr-auto flex items-baseline gap-2 max-md:flex-col max-md:gap-0 lg:mr-3">
        <h1>Calendar</h1>
        <span className="text-xs text-muted-foreground">London time</span>
      </div>
      <div className="lg:order-last">
        <SubscribeButton scope="coach" />
      </div>
      <Button onClick={onCreate} className="lg:order-last">
        <Plus aria-hidden />
        Create Slots
      </Button>
      <div className="flex min-w-0 items-center gap-1 max-lg:w-full max-lg:gap-2 lg:grow">
        <h2
          aria-live="polite"
          className="min-w-0 truncate text-lg tabular-nums max-md:grow lg:order-last lg:ml-2"
        >
          {title}
        </h2>
        <div className="flex items-center gap-1 max-md:order-last md:max-lg:ml-2">
          <Button variant="secondary" disabled={isTodayShown} onClick={onToday}>
            Today
          </Button>
          <Button variant="ghost" size="icon" aria-label={`Previous ${view}`} onClick={() => onStep(-1)}>
            <ChevronLeft aria-hidden />
          </Button>
          <Button variant="ghost" size="icon" aria-label={`Next ${view}`} onClick={() => onStep(1)}>
            <ChevronRight aria-hidden />
          </Button>
        </div>
        <div className="ml-auto flex items-center gap-2 lg:order-last">
          {children}
          {hasViews && (
            <SegmentedControl<CalendarView>
              label="View"
              value={view}
              onValueChange={onView}
              options={[
                { value: 'day', label: 'Day' },
                { value: 'week', label: 'Week' },
                { value: 'month', label: 'Month' },
              ]}
            />
          )}
        </div>
      </div>
    </div>
  );
}
