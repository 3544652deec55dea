import type { ReactNode } from 'react';
import { nameParticipant } from '#domain/accounts/participants.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatLessonTime } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { useAskToJoin } from '../booking/ask-to-join.ts';
import { findRequirement, RequirementButton } from '../booking/booking-requirement.tsx';
import { CancellationTerms } from '../cancellation-terms.tsx';
import type { BasketSeat } from './use-basket-seats.ts';

type BasketRowProps = {
  seat: BasketSeat;
  /** Whether the last attempt failed because of this seat. */
  isRefused: boolean;
  /** Whether the reason is an age range, to which the coach may make an exception. */
  canAsk: boolean;
  isBusy: boolean;
  onRemove: () => void;
};

/** A lesson in the basket and its participant, with anything that must be put right before booking. */
export function BasketRow({ seat, isRefused, canAsk, isBusy, onRemove }: BasketRowProps) {
  const { slot, participant, problem } = seat;
  const asking = useAskToJoin(slot);
  const who = participant.kind === 'self' ? 'you' : nameParticipant(participant);
  const requirement = problem ? null : findRequirement(participant, slot, false);
  return (
    <li className="border-t py-5 first:border-t-0">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-base">
            <SportDot sport={slot.sport} />
            {slot.title}
          </h2>
          <p className="mt-1 font-medium tabular-nums">
            {formatLessonTime(slot.startTime, slot.endTime, Date.now())}{' '}
            <span className="text-sm font-normal text-muted-foreground">London time</span>
          </p>
          <p className="mt-1 text-sm text-muted-foreground">
            with {slot.coachName} · {formatLocation(slot.location)}
          </p>
          <p className="mt-1 text-sm font-medium">For {who}</p>
        </div>
        <div className="flex shrink-0 flex-col items-end gap-2">
          <Money cents={slot.priceCents} className="text-lg font-semibold" />
          <Button
            variant="ghost"
            size="sm"
            disabled={isBusy}
            aria-label={`Remove ${slot.title} for ${who}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        </div>
      </div>
      <CancellationTerms slot={slot} priceCents={slot.priceCents} className="mt-1" />
      {problem ? (
        <Note tone="destructive">{problem} Remove this lesson to book the others.</Note>
      ) : requirement ? (
        <Note
          tone="warning"
          action={<RequirementButton participant={participant} requirement={requirement} />}
        >
          {requirement.message}
        </Note>
      ) : (
        isRefused && (
          <Note
            tone="destructive"
            action={
              canAsk &&
              !asking.answer && (
                <Button
                  variant="secondary"
                  onClick={() => asking.ask(participant)}
                  isLoading={asking.isPending}
                  loadingText="Asking..."
                >
                  Ask the coach
                </Button>
              )
            }
          >
            {asking.answer ?? asking.refusal ?? "This place couldn't be booked, so we didn't book any."}
          </Note>
        )
      )}
    </li>
  );
}

type NoteProps = { tone: 'destructive' | 'warning'; action?: ReactNode; children: ReactNode };

function Note({ tone, action, children }: NoteProps) {
  const colours =
    tone === 'warning' ? 'bg-warning-soft text-warning' : 'bg-destructive-soft text-destructive';
  return (
    <div
      role="status"
      className={`mt-3 flex flex-wrap items-center justify-between gap-3 rounded-md px-3 py-2 text-sm ${colours}`}
    >
      <p>{children}</p>
      {action}
    </div>
  );
}
