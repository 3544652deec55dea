import type { Bearer } from '#domain/desk/history.ts';

/** Labels for who bears a refund. */
export const bearerLabels: Record<Bearer, string> = { platform: 'The platform', coach: 'The coach' };
