import CalendarX from 'lucide-react/icons/calendar-x';
import { useId, useState } from 'react';
import type { SlotPlan } from '#domain/catalogue/slot-plan.ts';
import { formatDay, formatTime, type PlainDate } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { describeClockChange, explainPlannedSlot, type PreviewedSlot } from './planned-slots.ts';

const rowsAtFirst = 12;

type SlotPreviewProps = {
  plan: SlotPlan | null;
  slots: readonly PreviewedSlot[];
  /** How many of the slots will be created. */
  count: number;
  /** London dates that the coach unticked. */
  leftOut: ReadonlySet<PlainDate>;
  onLeftOutChange: (date: PlainDate, isLeftOut: boolean) => void;
  /** False while no template is chosen, because the end times are then unknown. */
  hasEnds: boolean;
  isChecking: boolean;
  isUnchecked: boolean;
};

/** The slots of the plan, by date, each with a checkbox to leave it out. */
export function SlotPreview(props: SlotPreviewProps) {
  const { plan, slots, count, isChecking, isUnchecked } = props;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? slots : slots.slice(0, rowsAtFirst);
  const clockChange = plan && describeClockChange(slots, plan);
  return (
    <section aria-label="Preview">
      <div role="status" className="min-h-12">
        {count > 0 ? (
          <p className="font-semibold tabular-nums">
            {count === 1 ? '1 slot will be created' : `${count} slots will be created`}
          </p>
        ) : (
          <>
            <p className="flex items-center gap-2 font-semibold">
              <CalendarX aria-hidden className="size-4 text-muted-foreground" />
              No slots to create
            </p>
            <p className="text-sm text-muted-foreground">
              {slots.length === 0
                ? 'Please select dates or repeat days'
                : 'Every date is left out. Choose other dates or another time.'}
            </p>
          </>
        )}
        {slots.length > 0 && (
          <p className="text-xs text-muted-foreground">
            {isUnchecked
              ? "We couldn't check your calendar for overlaps."
              : isChecking
                ? 'Checking your calendar...'
                : count > 0 && 'London time. Untick a date to leave it out.'}
          </p>
        )}
      </div>
      {clockChange && (
        <p className="mt-2 rounded-md bg-primary-soft px-3 py-2 text-xs text-primary">{clockChange}</p>
      )}
      {plan && slots.length > 0 && (
        <ul className="mt-2 divide-y border-y">
          {shown.map((slot) => (
            <PreviewRow key={slot.date} {...props} slot={slot} plan={plan} />
          ))}
        </ul>
      )}
      {shown.length < slots.length && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => setWhole(true)}>
          Show all {slots.length} dates
        </Button>
      )}
    </section>
  );
}

function PreviewRow({
  slot,
  plan,
  leftOut,
  onLeftOutChange,
  hasEnds,
}: SlotPreviewProps & { slot: PreviewedSlot; plan: SlotPlan }) {
  const id = useId();
  const isBlocked = slot.obstacle !== null;
  const isOn = !isBlocked && !leftOut.has(slot.date);
  const explanation = explainPlannedSlot(slot, plan);
  return (
    <li>
      <label htmlFor={id} className="flex min-h-10 items-start gap-3 py-2 text-sm touch:min-h-11 touch:py-3">
        <Checkbox
          id={id}
          checked={isOn}
          disabled={isBlocked}
          onChange={(event) => onLeftOutChange(slot.date, !event.target.checked)}
        />
        <span className="min-w-0 grow">
          <span
            className={cn(
              'flex flex-wrap justify-between gap-x-3 tabular-nums',
              !isOn && 'text-muted-foreground line-through',
            )}
          >
            <span>{formatDay(slot.startTime, Date.now())}</span>
            <span>
              {formatTime(slot.startTime)}
              {hasEnds && `–${formatTime(slot.endTime)}`}
            </span>
          </span>
          {explanation && <span className="block text-xs text-warning">{explanation}</span>}
        </span>
      </label>
    </li>
  );
}
