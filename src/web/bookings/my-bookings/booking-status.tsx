import type { BookingStatus } from '#domain/bookings/rules.ts';
import { StatusDot } from '#web/ui/status-dot.tsx';

const labels: Record<BookingStatus, { label: string; tone: 'primary' | 'success' | 'neutral' | 'warning' }> =
  {
    pending: { label: 'Waiting for payment', tone: 'warning' },
    booked: { label: 'Booked', tone: 'primary' },
    attended: { label: 'Completed', tone: 'success' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
    refunded: { label: 'Refunded', tone: 'neutral' },
    released: { label: 'Not booked', tone: 'neutral' },
  };

export function BookingStatusLabel({ status }: { status: BookingStatus }) {
  const { label, tone } = labels[status];
  return <StatusDot tone={tone} label={label} className="font-medium" />;
}
