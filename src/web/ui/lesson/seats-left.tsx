import Users from 'lucide-react/icons/users';
import { Badge } from '../badge.tsx';
import { cn } from '../class-names.ts';

type SeatsLeftProps = {
  lesson: { lessonType: string; bookedCount: number; maxCapacity: number };
  /** True for plain text instead of a badge, for use in a line of facts. */
  isPlain?: boolean;
  className?: string;
};

/** "2 of 8 left", in amber if few are left, or "No places left"; "Individual" for an unbooked individual lesson. */
export function SeatsLeft({ lesson, isPlain = false, className }: SeatsLeftProps) {
  const { lessonType, bookedCount, maxCapacity } = lesson;
  const left = maxCapacity - bookedCount;
  const isCounted = left > 0 && lessonType !== 'individual';
  const isTight = isCounted && (left === 1 || left <= maxCapacity / 4);
  const text = isCounted ? `${left} of ${maxCapacity} left` : left > 0 ? 'Individual' : 'No places left';
  if (isPlain) {
    return <span className={cn('tabular-nums', isTight && 'text-warning', className)}>{text}</span>;
  }
  return (
    <Badge tone={isTight ? 'warning' : 'neutral'} className={cn('tabular-nums', className)}>
      {isCounted && <Users aria-hidden />}
      {text}
    </Badge>
  );
}
