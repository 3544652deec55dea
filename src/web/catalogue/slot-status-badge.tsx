import type { CoachSlot } from '#domain/catalogue/contract.ts';
import { Badge } from '#web/ui/badge.tsx';

const badges = {
  scheduled: { label: 'Scheduled', tone: 'primary' },
  cancelled: { label: 'Cancelled', tone: 'destructive' },
  completed: { label: 'Completed', tone: 'success' },
} as const;

/** How far a dated lesson has come. */
export function SlotStatusBadge({ status }: { status: CoachSlot['status'] }) {
  const { label, tone } = badges[status];
  return <Badge tone={tone}>{label}</Badge>;
}
