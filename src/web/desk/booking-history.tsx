import { Link } from '@tanstack/react-router';
import type { HistoryEntry } from '#domain/desk/history.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { Section } from '#web/ui/card.tsx';
import { cn } from '#web/ui/class-names.ts';
import { describeEntry } from './history-lines.ts';

type BookingHistoryProps = { bookingId: string; history: HistoryEntry[]; isCut: boolean };

const dots = {
  success: 'bg-success-mark',
  warning: 'bg-warning-mark',
  destructive: 'bg-destructive',
};

/** Everything that happened to a booking, newest first. */
export function BookingHistory({ bookingId, history, isCut }: BookingHistoryProps) {
  return (
    <Section title="History" description="Newest first, in London time.">
      <ol aria-label="History" className="border-l pl-5 text-sm">
        {history.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and the list is only replaced as a whole.
          <HistoryRow key={index} entry={entry} />
        ))}
      </ol>
      {isCut && (
        <p className="mt-4 text-sm text-muted-foreground">
          Older events are in the{' '}
          <Link to="/admin/panel" search={{ tab: 'overview', about: bookingId }}>
            audit log
          </Link>
          .
        </p>
      )}
    </Section>
  );
}

function HistoryRow({ entry }: { entry: HistoryEntry }) {
  const { title, who, details = [], tone, payrunId, disputeId } = describeEntry(entry);
  const shown = details.filter(Boolean);
  return (
    <li className="relative pb-5 wrap-anywhere last:pb-0">
      <span
        aria-hidden
        className={cn(
          'absolute top-1.5 -left-6 size-2 rounded-full ring-4 ring-background',
          tone ? dots[tone] : 'bg-input',
        )}
      />
      <p className="font-medium">
        {payrunId ? (
          <Link to="/admin/payruns/$payrunId" params={{ payrunId }}>
            {title}
          </Link>
        ) : disputeId ? (
          <Link to="/admin/disputes/$disputeId" params={{ disputeId }}>
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      <p className="text-muted-foreground tabular-nums">
        {formatDay(entry.at, Date.now())}, {formatTime(entry.at)}
        {who && ` · ${who}`}
      </p>
      {shown.map((detail) => (
        <p key={String(detail)} className="text-muted-foreground">
          {detail}
        </p>
      ))}
    </li>
  );
}
