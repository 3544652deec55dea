import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import type { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addTemplate, writeSales } from '#server/test-support/lessons.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';
import { publishDueReviews } from './publish-reviews.ts';

const hourMs = 3_600_000;
export const kindText = 'Patient and clear, every single time. Thank you.';

/** Functions that create past lessons and write reviews about them, as if time had passed. */
export function openReviews(app: TestApp, club: Awaited<ReturnType<typeof openClub>>) {
  const { db, call } = app;

  /**
   * Adds a lesson that the customer paid for and that is over; `attended` is the coach's mark. Returns the booking's
   * id.
   */
  async function teach(
    customer: Someone,
    {
      endedHoursAgo = 72,
      attended = true as boolean | null,
      coach = club.coach,
      participantId = '',
      priceCents = 5000,
    } = {},
  ): Promise<string> {
    const templateId = await addTemplate(db, coach.userId, { isIndividual: true, durationMinutes: 30 });
    const startMs = Date.now() - endedHoursAgo * hourMs - 30 * 60_000;
    // The fee is the whole price, so that no outstanding payout blocks a test that deletes the coach's account.
    const money = { priceCents, feeCents: priceCents };
    const sale = { startMs, minutes: 30, templateId, coachId: coach.userId, ...money };
    const [bookingId] = await writeSales(db, customer.userId, [sale]);
    const mark = { attended, ...(attended ? { status: 'attended' as const } : {}) };
    await db
      .updateTable('bookings')
      .set({ ...mark, ...(participantId ? { participantId } : {}) })
      .where('bookingId', '=', bookingId!)
      .execute();
    return bookingId!;
  }

  /** Adds this parent's dependant to the past lesson of another family's booking. */
  async function joinLesson(bookingId: string, parent: Someone, participantId: string): Promise<void> {
    const own = await teach(parent, { participantId, endedHoursAgo: 96 });
    const { slotId } = await db
      .selectFrom('bookings')
      .select('slotId')
      .where('bookingId', '=', bookingId)
      .executeTakeFirstOrThrow();
    await db.updateTable('bookings').set({ slotId }).where('bookingId', '=', own).execute();
  }

  const save = (author: Someone | null, bookingId: string, rating = 5, text = kindText) =>
    call(author, reviewsApi.save, { bookingId, rating, text });

  /** Makes a review this many hours older and publishes the reviews that are due. */
  async function wait(reviewId: string, hours: number): Promise<void> {
    const { submittedAt } = await db
      .selectFrom('reviews')
      .select('submittedAt')
      .where('reviewId', '=', reviewId)
      .executeTakeFirstOrThrow();
    const earlier = new Date(Date.parse(submittedAt) - hours * hourMs).toISOString();
    await db.updateTable('reviews').set({ submittedAt: earlier }).where('reviewId', '=', reviewId).execute();
    await publishDueReviews(db);
  }

  /** Adds a past lesson, writes a review about it and publishes the review; returns the review's id. */
  async function publish(
    author: Someone,
    { coach = club.coach, rating = 5, text = kindText, participantId = '', endedHoursAgo = 72 } = {},
  ): Promise<string> {
    const bookingId = await teach(author, { coach, participantId, endedHoursAgo });
    const { review } = await outputOf(save(author, bookingId, rating, text));
    await wait(review.reviewId, 25);
    return review.reviewId;
  }

  const list = async (coach: Someone) => outputOf(call(null, reviewsApi.list, { coachId: coach.userId }));
  const listCases = async (admin: Someone) =>
    (await outputOf(call(admin, moderationApi.listCases, {}))).cases;
  const markAttendance = (coach: Someone, bookingId: string, attended: boolean | null) =>
    call(coach, lessonsApi.markAttendance, { bookingId, attended });

  return { teach, joinLesson, save, wait, publish, list, listCases, markAttendance };
}
