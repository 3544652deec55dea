import { beforeEach } from 'vitest';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

/** Before each test, creates a coach, a parent and a child with a lesson that ended at least an hour ago. */
export function setUpTaught() {
  const app = setUpTestApp();
  const club = beforeTests(() => openClub(app));
  const family = openFamily(app);
  const taught = {} as { coach: Someone; parent: Someone; mia: string; slotId: string; bookingId: string };
  let lessons = 0;

  /** Books a guardian's child into a coach's upcoming lesson and waits until the payment has been decided. */
  async function teach(given: { coach?: Someone; parent?: Someone; child?: string; slotId?: string } = {}) {
    const { coach, parent, mia } = { ...taught, ...given };
    const slotId = given.slotId ?? (await club.publish({ coachId: coach.userId }));
    const booked = await family.bookFor(parent, slotId, given.child ?? mia);
    const { bookingId } = await outputOf(Promise.resolve(booked));
    await eventually(async () =>
      (await club.readBookings(slotId)).every(({ status }) => status !== 'pending'),
    );
    return { slotId, bookingId };
  }
  /** Makes a lesson end this many hours ago. */
  const end = (slotId: string, hoursAgo = 1 + 2 * lessons++) => club.putAt(slotId, -60 * (hoursAgo + 1));

  beforeEach(async () => {
    taught.parent = await club.join();
    taught.mia = await family.addReadyChild(taught.parent, { fullName: 'Mia Morgan', knownAs: 'Mia' });
    taught.coach = await addPayableCoach(app);
    Object.assign(taught, await teach());
    await end(taught.slotId);
  });

  const save = (given: Partial<InputOf<typeof notesApi.save>> = {}, coach = taught.coach) =>
    app.call(coach, notesApi.save, {
      ...{ bookingId: taught.bookingId, isShared: true, body: 'Good footwork.' },
      ...given,
    });
  const notesOf = async (who: Someone, participantId = taught.mia) =>
    (await outputOf(app.call(who, progressApi.get, { participantId }))).lessons.flatMap(({ notes }) => notes);
  const lessonNotes = (coach = taught.coach, slotId = taught.slotId) =>
    outputOf(app.call(coach, notesApi.getOfLesson, { slotId }));
  const allowPhotos = (choice: 'none' | 'coaching' | 'club') =>
    outputOf(
      app.call(taught.parent, careApi.giveConsent, {
        ...{ participantId: taught.mia, kind: 'photos', choice, textVersion: consentTexts.photos.version },
      }),
    );
  return { app, club, family, taught, teach, end, save, notesOf, lessonNotes, allowPhotos };
}
