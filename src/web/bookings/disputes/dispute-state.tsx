import type { DisputeSummary } from '#domain/payments/disputes-contract.ts';
import { StatusDot } from '#web/ui/status-dot.tsx';

const tones: Record<string, 'success' | 'destructive' | 'warning' | 'neutral'> = {
  won: 'success',
  lost: 'destructive',
  needs_response: 'warning',
  warning_needs_response: 'warning',
};

const evidenceTexts: Record<DisputeSummary['evidenceState'], string | null> = {
  none: null,
  sending: 'Evidence is on its way',
  sent: 'Evidence sent',
  refused: 'Stripe refused the evidence',
};

type DisputeStateProps = {
  dispute: Pick<DisputeSummary, 'status' | 'evidenceState' | 'borneBy'>;
  label: string;
};

/** A dispute's status at the bank, the state of the evidence, and who bears the loss. */
export function DisputeState({ dispute: { status, evidenceState, borneBy }, label }: DisputeStateProps) {
  const evidence = evidenceTexts[evidenceState];
  const muted = 'block text-xs text-muted-foreground';
  return (
    <>
      <StatusDot label={label} tone={tones[status] ?? 'neutral'} />
      {evidence && <span className={muted}>{evidence}</span>}
      {status === 'lost' && (
        <span className={borneBy ? muted : 'block text-xs text-warning'}>
          {borneBy === null
            ? 'Loss not recorded yet'
            : borneBy === 'coach'
              ? 'Borne by the coach'
              : 'Borne by the platform'}
        </span>
      )}
    </>
  );
}
