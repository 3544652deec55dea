import { describePolicy, termsOfSlot } from '#domain/bookings/cancellation-policy.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { cn } from '#web/ui/class-names.ts';

type CancellationTermsProps = {
  slot: OpenSlot;
  priceCents: number;
  /** Whether the customer books several places and the price is for each of them. */
  isEach?: boolean;
  className?: string;
};

/** The terms for cancelling a lesson booked at this price; renders nothing for a free lesson, or until loaded. */
export function CancellationTerms({ slot, priceCents, isEach, className }: CancellationTermsProps) {
  const policy = useApi(settingsApi.getCancellationPolicy, {});
  if (!policy.data || priceCents === 0) return null;
  const terms = termsOfSlot({ ...slot, priceCents }, policy.data);
  return (
    <p className={cn('text-sm text-muted-foreground', className)}>
      {describePolicy(terms, Date.now())}
      {isEach && ' This applies to each place: you can cancel each one separately.'}
    </p>
  );
}
