const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Formats minor units (pence) as pounds with two decimals: 5000 → "£50.00". */
export function formatPounds(cents: number): string {
  return pounds.format(cents / 100);
}

/** Formats minor units (pence) for a file, without currency sign or separators: -12340 → "-123.40". */
export function formatFileAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}

/**
 * Parses pounds as typed ("45", "£45.50", "1,250.00") into minor units, rounded half up; null if the text
 * is not an amount of money.
 */
export function parsePounds(typed: string): number | null {
  const bare = typed.trim().replace(/^£\s*/, '').replaceAll(',', '');
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(bare)) return null;
  const [whole = '0', fraction = ''] = bare.split('.');
  const thousandths = Number(`${whole || '0'}${fraction.padEnd(3, '0').slice(0, 3)}`);
  const cents = Math.round(thousandths / 10);
  return Number.isSafeInteger(cents) ? cents : null;
}

/**
 * A percentage of an amount, in minor units, rounded half up. `percent` has at most one decimal place (0 to 100 in
 * steps of 0.1), so the calculation uses whole thousandths.
 */
export function percentageOf(cents: number, percent: number): number {
  return Math.floor((cents * Math.round(percent * 10) + 500) / 1000);
}
