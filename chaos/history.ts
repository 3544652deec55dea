/** A refund of part of a booking, requested by an admin. Each has a different reason. */
export type DeskRefund = {
  bookingId: string;
  amountCents: number;
  expectedLeftCents: number;
  reason: string;
  isMade: boolean;
};

/** What clients requested and what the server reported, for comparison with the server's records. */
export type History = {
  booked: { userId: string; slotId: string; bookingId: string }[];
  /** Bookings reported to the customer as failed without a charge, or as abandoned. */
  failed: string[];
  cancelled: { bookingId: string; refundCents: number }[];
  slotsCancelled: { slotId: string; people: number; refundCents: number }[];
  payruns: { payrunId: string; totalAmountCents: number; bookingIds: string[] }[];
  paid: string[];
  /** The refunds that admins requested; `isMade` is true once a refund was confirmed. */
  deskRefunds: DeskRefund[];
  /** Payments of payruns that admins entered as returned: all that were requested, and those that were confirmed. */
  returns: { requested: Set<string>; made: Set<string> };
  files: Map<string, string>;
  /** The ids of the bookings whose customers requested cancellation, whatever the outcome. */
  requestedCancellations: Set<string>;
  requestedSlotCancellations: Set<string>;
  /** By participant and slot: whether every attempt so far was refused, and the codes of the refusals. */
  attempts: Map<string, { isAllRefused: boolean; codes: Set<string> }>;
  /** The number of responses by status and code. */
  answers: Map<string, number>;
  /** A sentence per invariant that broke during the load. */
  broken: string[];
};

export function createHistory(): History {
  return {
    booked: [],
    failed: [],
    cancelled: [],
    slotsCancelled: [],
    payruns: [],
    paid: [],
    deskRefunds: [],
    returns: { requested: new Set(), made: new Set() },
    files: new Map(),
    requestedCancellations: new Set(),
    requestedSlotCancellations: new Set(),
    attempts: new Map(),
    answers: new Map(),
    broken: [],
  };
}

export const attemptKey = (participantId: string, slotId: string) => `${participantId} ${slotId}`;

/** Records the outcome of an attempt to book a slot: the code of a refusal, or null for any other outcome. */
export function noteAttempt(history: History, key: string, refusal: string | null): void {
  const attempt = history.attempts.get(key) ?? { isAllRefused: true, codes: new Set() };
  if (refusal) attempt.codes.add(refusal);
  else attempt.isAllRefused = false;
  history.attempts.set(key, attempt);
}
