import { formatPounds } from '#domain/money.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { feeOfPrice } from '#domain/settings/platform-fee.ts';
import { useApi } from '#web/app/api/api.ts';

/** Shows the coach's share, a price less the platform's fee: "You get £29.40". Renders nothing for a free lesson. */
export function CoachShare({ priceCents }: { priceCents: number }) {
  const { data: fee } = useApi(settingsApi.getPlatformFee, {});
  if (!fee || !Number.isInteger(priceCents) || priceCents <= 0) return null;
  return (
    <span role="status" className="tabular-nums">
      You get {formatPounds(priceCents - feeOfPrice(priceCents, fee))}
    </span>
  );
}
