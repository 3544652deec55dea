import { z } from 'zod';
import { endpoint } from '#domain/endpoint.ts';

const count = z.number().int().min(0);
const cents = z.number().int();

/** The limit of the home page's counts; beyond it "more than" is shown. */
export const mostCounted = 200;

/** An admin's home page: the platform's last days, and tasks that only an admin can do. Money in cents. */
const adminHome = z.object({
  /** The last 7 London days, today included. */
  week: z.object({ bookings: count, revenueCents: cents, feeCents: cents, newUsers: count }),
  /** What the next payrun can pay; counted up to {@link mostCounted} lessons. */
  payoutsDue: z.object({ lessons: count, amountCents: cents, isMore: z.boolean() }),
  /** Refunds that the card network refused for good. */
  givenUpRefunds: z.object({ refunds: count, amountCents: cents }),
  pendingPayruns: z.object({ payruns: count, amountCents: cents }),
  /** Past lessons that cannot be paid out: disputed, or refunded at the card network itself. */
  heldBookings: count,
  /**
   * Applicants for the coach role, with the businesses that invited them ("A, B"), the longest wait first; and how
   * many there are.
   */
  applicants: z.object({
    people: z.array(z.object({ fullName: z.string(), email: z.string(), businessNames: z.string() })),
    count,
  }),
});
export type AdminHome = z.output<typeof adminHome>;

export const adminHomeApi = {
  getAdminHome: endpoint({
    method: 'GET',
    path: '/api/admin/home',
    operationId: 'get_admin_home',
    gate: 'admin',
    input: z.object({}),
    output: adminHome,
    summary: "The platform's last 7 days and what waits for an admin.",
  }),
};
