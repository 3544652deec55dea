import { z } from 'zod';
import { endpoint } from '#domain/endpoint.ts';
import { cents, count, instant } from '../fields.ts';

/** The home page counts payable bookings only up to this number. If there are more, the page says "More than". */
export const maxCounted = 200;

const adminHome = z
  .object({
    week: z
      .object({ bookings: count, revenueCents: cents, feeCents: cents, newUsers: count })
      .describe('The last 7 days, including today (London time). The amounts are after refunds.'),
    payoutsDue: z
      .object({ lessons: count, amountCents: cents, isMore: z.boolean() })
      .describe(
        `The bookings that the next payrun can pay, and their amount; at most ${maxCounted} bookings are counted. \`isMore\`: there are others.`,
      ),
    failedRefunds: z
      .object({ refunds: count, amountCents: cents })
      .describe('Refunds that Stripe permanently refused, or that a bank sent back.'),
    openDisputes: z
      .object({
        disputes: count,
        dueBy: instant
          .nullable()
          .describe('The earliest deadline for sending evidence; null if there is none.'),
      })
      .describe('Disputes that wait for evidence, and lost ones whose loss is not recorded yet.'),
    pendingPayruns: z
      .object({ payruns: count, amountCents: cents })
      .describe('Pending payruns, except those that this admin created and another admin must pay.'),
    withheldBookings: count.describe(
      'Bookings of past lessons that cannot be paid out: disputed, or refunded directly in Stripe.',
    ),
    welfareConcerns: count.describe('Open welfare concerns that this admin handles.'),
    waitingDocuments: count.describe("Coaches' documents that wait for an admin."),
    waitingApplications: count.describe('Applications for the coach role that wait for an admin.'),
    reviewCases: z
      .object({ open: count, overdue: count })
      .describe('Cases about reviews that wait for an admin, and how many of them are overdue.'),
  })
  .meta({
    id: 'AdminHome',
    description:
      "An admin's home page: the platform's last 7 days, and the tasks that need an admin. Amounts in minor units (pence).",
  });
export type AdminHome = z.output<typeof adminHome>;

export const adminHomeApi = {
  getAdminHome: endpoint({
    method: 'GET',
    path: '/api/admin/home',
    operationId: 'get_admin_home',
    gate: 'admin',
    summary: "Get an admin's home page",
    description: "The platform's last 7 days and the tasks that need an admin.",
    input: z.object({}),
    output: adminHome,
  }),
};
