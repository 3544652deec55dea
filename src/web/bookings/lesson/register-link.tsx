import { Link } from '@tanstack/react-router';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import { refuseOpenRegister, registerWindowOf } from '#domain/bookings/register.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { useHasStarted } from './use-mark-attendance.ts';

/** The link to the notes about the participants of a booked lesson. Shown once the lesson has started. */
export function NotesLink({ slot: { slotId, startTime, bookedCount, status } }: { slot: CoachSlot }) {
  const hasStarted = useHasStarted(startTime);
  if (!hasStarted || bookedCount === 0 || status === 'cancelled') return null;
  return (
    <Button asChild variant="secondary" className="mb-4 max-sm:w-full">
      <Link to="/coach/registers/$slotId/notes" params={{ slotId }}>
        <NotebookPen aria-hidden />
        Write notes
      </Link>
    </Button>
  );
}

/**
 * The link to the register of a booked lesson while it can be opened. Before that, the time from which it can be
 * opened.
 */
export function RegisterLink({ slot }: { slot: CoachSlot }) {
  const now = Date.now();
  const { from, until } = registerWindowOf(slot);
  if (slot.bookedCount === 0 || slot.status === 'cancelled' || now > Date.parse(until)) return null;
  if (refuseOpenRegister(slot, now)) {
    return (
      <p className="mb-3 text-sm text-muted-foreground">
        The register, with emergency contacts and notes, opens on {formatDay(from, now)}, {formatTime(from)}.
      </p>
    );
  }
  return (
    <Button asChild variant="secondary" className="mb-4 max-sm:w-full">
      <Link to="/coach/registers/$slotId" params={{ slotId: slot.slotId }}>
        <ClipboardList aria-hidden />
        Open the register
      </Link>
    </Button>
  );
}
