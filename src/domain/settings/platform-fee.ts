import { percentageOf } from '../money.ts';
import type { PlatformFee } from './contract.ts';

// Everything derived from the fee setting (contract.ts beside this file). Other modules pass the whole fee, so that a
// new field, such as a minimum, needs a change only here. Holding a seat copies the result to the booking
// (server/bookings/booking/hold-seat.ts), so a change never affects earlier bookings.

/** The fee's percentage for bookings made now; 0 while the fee is switched off. */
const percentInForce = ({ enabled, percent }: PlatformFee) => (enabled ? percent : 0);

/**
 * The platform's fee on a price, both in minor units. The fee is deducted from the coach's share. If it exceeded the
 * price, the database would refuse the booking.
 */
export const feeOfPrice = (priceCents: number, fee: PlatformFee): number =>
  percentageOf(priceCents, percentInForce(fee));

/** "2.5%", or "no fee"; for sentences about a change to the fee. */
export function describeFee(fee: PlatformFee): string {
  const percent = percentInForce(fee);
  return percent === 0 ? 'no fee' : `${percent}%`;
}

/** True if two fees take the same share of every price, so that a change from one to the other affects nobody. */
export const isSameFee = (one: PlatformFee, other: PlatformFee): boolean =>
  percentInForce(one) === percentInForce(other);
