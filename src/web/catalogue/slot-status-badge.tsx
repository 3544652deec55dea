import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { Badge } from '#web/ui/badge.tsx';

const badges = {
  scheduled: { label: 'Scheduled', tone: 'primary' },
  cancelled: { label: 'Cancelled', tone: 'destructive' },
  completed: { label: 'Completed', tone: 'success' },
} as const;

export function SlotStatusBadge({ status }: { status: CoachSlot['status'] }) {
  const { label, tone } = badges[status];
  return <Badge tone={tone}>{label}</Badge>;
}
