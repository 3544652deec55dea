import type { Bearer } from '#domain/desk/history.ts';

/** Who bears a refund, as the desk names them. */
export const bearerLabels: Record<Bearer, string> = { platform: 'The platform', coach: 'The coach' };
