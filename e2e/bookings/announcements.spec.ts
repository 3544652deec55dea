import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { addDays } from '#domain/time.ts';
import { call } from '../support/api.ts';
import { toast } from '../support/booking-page.ts';
import { bookByApi, publishAt } from '../support/club.ts';
import { today, unique } from '../support/coaching.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { stopLiveUpdates } from '../support/live-updates.ts';
import { becomePerson, openCoach, openCustomer } from '../support/people.ts';
import { failResponse } from '../support/responses.ts';

test("sends a coach's announcement to everyone who booked and shows it on bookings [MSG-1c, MSG-1d]", async ({
  page,
  browser,
}) => {
  const coach = await openCoach('Ann Announcer');
  const lesson = await publishAt(
    coach,
    { date: addDays(today(), 4), hour: 10 },
    { seats: 6, title: unique('Announced tennis') },
  );
  const [first, second] = [await openCustomer({ card: null }), await openCustomer({ card: null })];
  await becomePerson(page, coach);
  const main = page.getByRole('main');
  const open = main.getByRole('button', { name: 'Write to everyone' });
  // Nobody has booked, so there is nobody to write to.
  await page.goto(`/coach/lesson/${lesson.slotId}`);
  await expect(page.getByText('Nobody has booked yet')).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Announcements' })).toHaveCount(0);

  const bookingId = await bookByApi(first, lesson);
  await expect(main.getByText("You haven't sent anything yet.")).toBeVisible();
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Write to everyone who booked' });
  const field = dialog.getByLabel('Announcement');
  const send = dialog.getByRole('button', { name: /^Send to / });
  await expect(send).toHaveText('Send to 1 person');
  await send.click();
  await expect(dialog.getByText('Write your announcement.')).toBeVisible();
  await field.fill('x'.repeat(401));
  await expect(dialog.getByText('401 of 400 characters')).toBeVisible();
  await expect(dialog.getByText("An announcement can't be longer than 400 characters.")).toBeVisible();
  await inspect(page, 'announcement dialog');
  // The number of recipients on the button includes a booking made while the dialog is open.
  await bookByApi(second, lesson);
  await expect(send).toHaveText('Send to 2 people');

  const text = 'We play indoors.\nBring clean shoes: https://elsewhere.example/shoes';
  await field.fill(text);
  await expect(dialog.getByText(`${text.length} of 400 characters`)).toBeVisible();
  const failing = await failResponse(page, announcementsApi.send);
  await send.click();
  await expect(dialog.getByRole('alert').filter({ hasText: /connection|reach/i })).toBeVisible();
  await failing.release();

  const reader = await browser.newPage();
  await becomePerson(reader, first);
  await reader.goto(`/customer/bookings/${bookingId}`);
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText(lesson.title);
  await expect(reader.getByText('Announcements from Ann Announcer')).toHaveCount(0);
  await send.click();
  await expect(toast(page, 'Sent to 2 people')).toBeVisible();
  await expect(dialog).toBeHidden();
  const sent = main.getByRole('listitem').filter({ hasText: 'We play indoors.' });
  await expect(sent).toContainText(/Sent to 2 people, \w{3} \d+ \w+.*, \d\d:\d\d/);
  // The customer's open page shows the announcement without a reload, with its link as plain text.
  await expect(reader.getByRole('heading', { name: 'Announcements from Ann Announcer' })).toBeVisible();
  const received = reader.getByRole('main').getByRole('listitem').filter({ hasText: 'We play indoors.' });
  await expect(received).toContainText('https://elsewhere.example/shoes');
  await expect(received.getByRole('link')).toHaveCount(0);
  await inspect(reader, 'booking with an announcement');
  await reader.close();
  await inspect(page, 'lesson with announcements');

  for (const more of ['Second', 'Third']) {
    await call(coach, announcementsApi.send, { slotId: lesson.slotId, text: more, expectedRecipients: 2 });
  }
  await expect(
    main.getByText("You've sent 3 announcements about this lesson in the last 24 hours."),
  ).toBeVisible();
  await expect(open).toHaveCount(0);

  await stopLiveUpdates(page);
  const offline = await failResponse(page, announcementsApi.listSent);
  await page.reload();
  await expect(main.getByText('Failed to load announcements')).toBeVisible();
  await offline.release();
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(sent).toBeVisible();
});
