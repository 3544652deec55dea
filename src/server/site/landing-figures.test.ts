import { expect, test } from 'vitest';
import { settingsApi } from '#domain/settings/contract.ts';
import { revokeRole } from '#server/businesses/change-roles.ts';
import { openReviews } from '#server/reviews/reviews.test-support.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { countLandingFigures } from './count-landing-figures.ts';

const app = setUpTestApp();

test('counts coaches, five-star reviews and lessons, without zeros [LAND-2c]', async () => {
  const count = () => countLandingFigures(app.db);
  expect(await count()).toEqual({ coaches: 0, fiveStars: 0, lessons: 0 });
  const club = await openClub(app);
  const reviews = openReviews(app, club);
  const [first, second, third] = [await club.join(), await club.join(), await club.join()];
  await app.db.updateTable('lessonSlots').set({ status: 'completed' }).execute();
  expect(await count()).toEqual({ coaches: 1, fiveStars: 0, lessons: 0 });

  await reviews.publish(first, { rating: 4 });
  const unpublished = await reviews.teach(second);
  await reviews.save(second, unpublished, 5);
  await app.db.updateTable('lessonSlots').set({ status: 'completed' }).execute();
  // These lessons do not count: nobody booked the first, and the second is in the future.
  await club.putAt(await club.publish(), -120);
  await club.publish();
  await app.db
    .updateTable('lessonSlots')
    .set({ status: 'completed' })
    .where('endTime', '<', new Date().toISOString())
    .execute();
  expect(await count()).toEqual({ coaches: 1, fiveStars: 0, lessons: 2 });

  const admin = await app.signIn('admin');
  const typed = [{ figure: '500+', label: 'clubs' }];
  const answer = await app.call(admin, settingsApi.updateLandingStats, { mode: 'counted', stats: typed });
  expect(answer.status).toBe(200);
  const page = async () => (await fetch(app.url)).text();
  const html = await eventually(async () => {
    const text = await page();
    return text.includes('active coach') ? text : null;
  });
  const figures = [...html.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd[^>]*>([^<]+)</g)].map(([, label, figure]) => [
    figure,
    label,
  ]);
  expect(figures).toEqual([
    ['1', 'active coach'],
    ['2', 'lessons completed'],
  ]);
  expect(html).not.toMatch(/500\+|five-star/);

  await reviews.publish(third, { rating: 5 });
  const other = await app.signIn('coach');
  expect(await count()).toMatchObject({ coaches: 2, fiveStars: 1 });
  await revokeRole(app.db, { system: 'test' }, other.userId, 'coach');
  expect(await count()).toMatchObject({ coaches: 1, fiveStars: 1 });
});
