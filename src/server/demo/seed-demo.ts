import type Stripe from 'stripe';
import { feeOfRefund } from '#domain/bookings/cancellation-policy.ts';
import { holdMinutes } from '#domain/bookings/rules.ts';
import { templateInput } from '#domain/catalogue/template.ts';
import { defaultSettings } from '#domain/settings/contract.ts';
import type { LandingStats } from '#domain/settings/landing-stats.ts';
import { hashPassword } from '#server/auth/passwords/password-hash.ts';
import { copyTemplate } from '#server/catalogue/slot-columns.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { settingKeys } from '#server/settings/queries.ts';
import type { FileStore } from '#server/storage/files/file-store.ts';
import { addAnnouncements } from './add-announcements.ts';
import { addApplications } from './add-applications.ts';
import { addBankDetails } from './add-bank-details.ts';
import { addDeskRefund } from './add-desk-refund.ts';
import { addDocuments } from './add-documents.ts';
import { addFamily, childId } from './add-family.ts';
import { addFeeds } from './add-feeds.ts';
import { addNotifications } from './add-notifications.ts';
import { addPayruns, planPayruns } from './add-payruns.ts';
import { addPeople, coachId, customerId } from './add-people.ts';
import { addPictures, storePictures } from './add-pictures.ts';
import { addProgress } from './add-progress.ts';
import { addReviews } from './add-reviews.ts';
import { inTurns, listCheckouts, type Paid, pay, saveCard, saveDisputedCard } from './charge-demo.ts';
import { demoCoaches, demoCustomers } from './demo-coaches.ts';
import { listDemoDisputes, pickDisputed } from './dispute-demo.ts';
import { at, clubAgeDays, type DemoBooking, type DemoSlot, demoId, feeOf, planDemo } from './plan-demo.ts';

const password = 'demo-lesson-2026';
const day = 86_400_000;

const templateId = (coach: number, template: number) => demoId(`template ${coach}`, template);
const venueId = (coach: number, venue: number) => demoId(`venue ${coach}`, venue);

/**
 * Fills an empty database with the demo club as of today: coaches, lessons of the last three weeks and the next six, a
 * year of lessons for one coach, customers with their bookings, and payouts. Every booking with a price is charged in
 * the Stripe simulator through the official client, so that the simulator's ledger agrees with ours. The database is
 * filled completely or not at all.
 */
export async function seedDemo({
  db,
  config,
  cards,
  files,
}: {
  db: Database;
  config: Config;
  cards: Stripe;
  files: FileStore;
}): Promise<void> {
  const now = Date.now();
  const { slots, bookings } = planDemo(now);
  const [passwordHash, saved] = await Promise.all([
    hashPassword(password, 'demo'),
    inTurns(demoCustomers, (_, index) => saveCard(cards, customerId(index), index)),
  ]);
  const pictures = await storePictures(files);
  const disputed = pickDisputed(bookings, now);
  const disputedCard = disputed && (await saveDisputedCard(cards, saved[disputed.customer]!));
  const cardOf = (booking: DemoBooking) => (booking === disputed ? disputedCard! : saved[booking.customer]!);
  const paid = (
    await inTurns(listCheckouts(bookings), (checkout) => pay(cards, cardOf(checkout[0]!), checkout, now))
  ).flat();
  const disputes = await listDemoDisputes(cards, paid);
  await db.transaction().execute(async (tx) => {
    await addPeople(tx, passwordHash, saved, now);
    await addBankDetails(tx, config.dataKeys, now);
    await addApplications(tx, demoId('admin', 0), now);
    await addLessons(tx, slots, bookings, now);
    await addDocuments(tx, config.dataKeys, now);
    await addFamily(tx, config.dataKeys, bookings, now);
    const payruns = planPayruns(paid, now);
    await addBookings(
      tx,
      paid,
      new Set(payruns.flatMap(({ items }) => items.map(({ bookingId }) => bookingId))),
    );
    await addProgress(tx, bookings, now);
    await addPayruns(tx, payruns, demoId('admin', 0));
    await addDeskRefund(tx, demoId('admin', 0));
    if (disputes.length > 0) await tx.insertInto('disputes').values(disputes).execute();
    await addFeeds(tx);
    await addPictures(tx, pictures, at(now - clubAgeDays * day));
    await addAnnouncements(tx);
    await addReviews(tx, demoId('admin', 0));
    await tx
      .updateTable('siteSettings')
      .set({ value: JSON.stringify({ mode: 'counted', stats: [] } satisfies LandingStats) })
      .where('key', '=', settingKeys.landingStats)
      .execute();
    await addNotifications(tx, defaultSettings.brand.name, now);
  });
}

async function addLessons(tx: Tx, slots: DemoSlot[], bookings: DemoBooking[], now: number): Promise<void> {
  await tx
    .insertInto('locations')
    .values(
      demoCoaches.flatMap(({ venues, town }, coach) =>
        venues.map((venue, index) => ({
          locationId: venueId(coach, index),
          coachId: coachId(coach),
          city: town,
          nation: 'england' as const,
          ...venue,
        })),
      ),
    )
    .execute();
  const kinds = demoCoaches.map(({ templates, sport }) =>
    templates.map(([title, description, durationMinutes, basePriceCents, group, ages]) =>
      templateInput.parse({
        ...{ title, description, sport, durationMinutes, basePriceCents },
        ...(ages && { minAge: ages[0], maxAge: ages[1] }),
        lessonType: group ? 'group' : 'individual',
        minCapacity: group?.[0],
        maxCapacity: group?.[1],
      }),
    ),
  );
  await tx
    .insertInto('lessonTemplates')
    .values(
      kinds.flatMap((templates, coach) =>
        templates.map((template, index) => ({
          templateId: templateId(coach, index),
          coachId: coachId(coach),
          createdAt: at(now - (clubAgeDays - index) * day),
          ...template,
        })),
      ),
    )
    .execute();
  const taken = new Map<DemoSlot, number>();
  for (const { slot, status } of bookings) {
    if (status === 'booked' || status === 'attended') taken.set(slot, (taken.get(slot) ?? 0) + 1);
  }
  await tx
    .insertInto('lessonSlots')
    .values(
      slots.map((slot) => {
        const ids = { templateId: templateId(slot.coach, slot.template), coachId: coachId(slot.coach) };
        return {
          ...copyTemplate({ ...ids, ...kinds[slot.coach]![slot.template]! }),
          slotId: slot.slotId,
          locationId: venueId(slot.coach, slot.venue),
          startTime: at(slot.startMs),
          endTime: at(slot.endMs),
          priceCents: slot.priceCents,
          status: slot.status,
          cancellationReason: slot.status === 'cancelled' ? 'Heavy rain' : null,
          cancelledAt: slot.status === 'cancelled' ? at(Math.min(slot.startMs, now) - day) : null,
          bookedCount: taken.get(slot) ?? 0,
          createdAt: at(slot.startMs - 60 * day),
        };
      }),
    )
    .execute();
}

async function addBookings(tx: Tx, bookings: Paid[], inPayruns: Set<string>): Promise<void> {
  await tx
    .insertInto('payments')
    .values(
      listCheckouts(bookings).map((checkout) => {
        const { paymentId, card, intentId, customer, bookedMs } = checkout[0]!;
        return {
          paymentId,
          customerUserId: customerId(customer),
          amountCents: checkout.reduce((sum, { slot }) => sum + slot.priceCents, 0),
          status: 'succeeded' as const,
          stripePaymentIntentId: intentId,
          stripeCustomerId: card?.customer ?? null,
          stripePaymentMethodId: card?.method ?? null,
          cardBrand: card?.brand ?? null,
          cardLastFour: card?.lastFour ?? null,
          createdAt: at(bookedMs),
          updatedAt: at(bookedMs + 2_000),
        };
      }),
    )
    .execute();
  await tx
    .insertInto('bookings')
    .values(bookings.map((booking) => bookingRow(booking, inPayruns.has(booking.bookingId))))
    .execute();
  await tx
    .insertInto('paymentLines')
    .values(
      bookings.map(({ paymentId, lineNo, bookingId, slot }) => ({
        ...{ paymentId, bookingId, lineNo, amountCents: slot.priceCents },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('refunds')
    .values(
      bookings.flatMap(({ paymentId, refund, slot, cancelledBy, cancelledMs }) =>
        refund
          ? [
              {
                ...refund,
                paymentId,
                amountCents: slot.priceCents,
                status: 'succeeded' as const,
                reason: `${cancelledBy as 'customer' | 'coach'}_cancelled` as const,
                createdAt: at(cancelledMs!),
                updatedAt: at(cancelledMs! + 3_000),
              },
            ]
          : [],
      ),
    )
    .execute();
  await tx
    .insertInto('refundLines')
    .values(
      bookings.flatMap(({ bookingId, refund, slot }) =>
        refund ? [{ refundId: refund.refundId, bookingId, ...partsOf(slot) }] : [],
      ),
    )
    .execute();
  const entries = bookings
    .flatMap(ledgerRows)
    .sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  await tx.insertInto('ledgerEntries').values(entries).execute();
}

function bookingRow({ slot, ...booking }: Paid, isInPayrun: boolean) {
  return {
    bookingId: booking.bookingId,
    slotId: slot.slotId,
    customerUserId: customerId(booking.customer),
    participantId: booking.child === null ? customerId(booking.customer) : childId(booking.child),
    paymentId: booking.paymentId,
    status: booking.status,
    amountCents: slot.priceCents,
    chargedCents: slot.priceCents,
    feeCents: feeOf(slot),
    ...defaultSettings.cancellationPolicy,
    during: `[${at(slot.startMs)},${at(slot.endMs)})`,
    attended: booking.attended,
    isInPayrun,
    holdExpiresAt: at(booking.bookedMs + holdMinutes * 60_000),
    createdAt: at(booking.bookedMs),
    bookedAt: at(booking.bookedMs + 2_000),
    cancelledAt: booking.cancelledMs === null ? null : at(booking.cancelledMs),
    cancelledBy: booking.cancelledBy,
  };
}

/** The parts of a full refund that the coach and the platform bear. */
function partsOf(slot: DemoSlot) {
  const [amountCents, feeCents] = [slot.priceCents, feeOf(slot)];
  const feeBackCents = feeOfRefund({ amountCents, feeCents }, amountCents);
  return { amountCents, feeCents: feeBackCents, coachCents: amountCents - feeBackCents };
}

function ledgerRows({ bookingId, paymentId, slot, bookedMs, cancelledMs, refund }: Paid) {
  const entriesOf = (sourceId: string, ms: number) => (kind: EntryKind, amountCents: number) => ({
    ...{ bookingId, kind, sourceId, amountCents, createdAt: at(ms) },
  });
  const charge = entriesOf(paymentId, bookedMs);
  const entries = [charge('charged', slot.priceCents), charge('fee', feeOf(slot))];
  if (!refund) return entries;
  const { amountCents, feeCents } = partsOf(slot);
  const giveBack = entriesOf(refund.refundId, cancelledMs!);
  return [...entries, giveBack('refunded', -amountCents), giveBack('fee_refunded', -feeCents)];
}

type EntryKind = 'charged' | 'fee' | 'refunded' | 'fee_refunded';
