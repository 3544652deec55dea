const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Formats a duration: "1 hour", "45 minutes", "1 hour 30 minutes". */
export function describeDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [hours > 0 && count(hours, 'hour'), rest > 0 && count(rest, 'minute')];
  return parts.filter(Boolean).join(' ');
}

/** Formats a capacity: "1 person", "4 people", "2–4 people". */
export function describeCapacity({
  minCapacity,
  maxCapacity,
}: {
  minCapacity: number;
  maxCapacity: number;
}): string {
  if (maxCapacity === 1) return '1 person';
  return minCapacity === maxCapacity ? `${maxCapacity} people` : `${minCapacity}–${maxCapacity} people`;
}
