import type { BankDetails } from '#domain/payouts/contract.ts';

const countries: Record<BankDetails['bankCountry'], string> = { GB: 'United Kingdom' };
const currencies: Record<BankDetails['currency'], string> = { GBP: 'Pounds (GBP)' };

export const describeCountry = (country: BankDetails['bankCountry']) => countries[country];
export const describeCurrency = (currency: BankDetails['currency']) => currencies[currency];
