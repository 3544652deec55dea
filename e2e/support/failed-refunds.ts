import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { FailedRefund } from '#domain/bookings/refunds-contract.ts';

const given = (customerName: string, amountCents: number, message: string): FailedRefund => ({
  refundId: randomUUID(),
  bookingId: randomUUID(),
  ...{ amountCents, message, customerName, customerEmail: 'priya.paid@club.test', coachName: 'Tess Trial' },
  ...{ title: 'Tennis for two', card: { brand: 'visa', lastFour: '4242' }, refundedInStripeCents: 0 },
  failedAt: new Date(Date.now() - 3_600_000).toISOString(),
  startTime: new Date(Date.now() + 86_400_000).toISOString(),
});

/**
 * Serves two failed refunds to this page, because the demo's Stripe simulator can only refuse refunds for everyone,
 * and a refund fails only after several attempts. Refuses the first settlement, as if the admin had signed in long ago.
 */
export async function serveFailedRefunds(page: Page) {
  const list = [
    given('Priya Paid', 5000, 'This card was closed.'),
    given('Sid Sent', 3000, 'The bank sent the refund back.'),
  ];
  const sent: string[] = [];
  await page.route('**/api/admin/refunds/**', (route) => {
    const [refundId, step] = new URL(route.request().url()).pathname.split('/').slice(-2);
    if (step === 'failed') return route.fulfill({ json: { refunds: list, nextCursor: null } });
    sent.push(`${step} ${route.request().postData()}`);
    if (step === 'settlement' && sent.filter((call) => call.startsWith(step)).length === 1) {
      const details = { isCodeEnough: true };
      const error = { code: 'confirmation_required', message: 'Please enter your password.', details };
      return route.fulfill({ status: 403, json: { error } });
    }
    list.splice(
      list.findIndex((refund) => refund.refundId === refundId),
      1,
    );
    return route.fulfill({ json: {} });
  });
  return { list, sent };
}
