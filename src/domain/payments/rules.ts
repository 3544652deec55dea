export const paymentStatuses = ['processing', 'requires_action', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * Which status may follow which. `failed` → `succeeded` is the late truth: a charge that we gave up on and
 * that the card network made all the same (it is then refunded).
 */
export const paymentTransitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  processing: ['requires_action', 'succeeded', 'failed'],
  requires_action: ['processing', 'succeeded', 'failed'],
  succeeded: [],
  failed: ['succeeded'],
};
