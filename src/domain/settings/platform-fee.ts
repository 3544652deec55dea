import { percentageOf } from '../money.ts';
import type { PlatformFee } from './contract.ts';

type Fee = Pick<PlatformFee, 'enabled' | 'percent'>;

/** The percentage that bookings made now pay: 0 while the fee is switched off. */
export const percentInForce = ({ enabled, percent }: Fee) => (enabled ? percent : 0);

/** The platform's fee of a price, both in cents; it is kept from the coach's share. */
export const feeOfPrice = (priceCents: number, fee: Fee) => percentageOf(priceCents, percentInForce(fee));
