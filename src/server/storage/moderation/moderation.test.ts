import { expect, onTestFinished, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { storageApi } from '#domain/storage/contract.ts';
import { openLive } from '#server/realtime/live-client.test-support.ts';
import { addGalleryPicture, makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { readPublicAvatar } from '#server/storage/queries.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });
const club = beforeTests(() => openClub(app));

/** Reports a picture, by default as a visitor, from an IP address that ends in `host`. */
const reportFrom = (
  host: number,
  pictureId: string,
  reason = 'My child is in it',
  who: Someone | null = null,
) =>
  app.call(
    who,
    storageApi.reportPicture,
    { pictureId, reason },
    { headers: { 'x-forwarded-for': `203.0.113.${host}` } },
  );

test('returns 404 immediately for a deleted or hidden picture [FILE-8a]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const deleted = await addGalleryPicture(app.url, coach, 'deleted');
  const hidden = await addGalleryPicture(app.url, coach, 'hidden');
  const open = async ({ url }: { url: string }) => {
    const shown = await fetch(url);
    expect(shown.status).toBe(200);
    return shown.headers.get('etag')!;
  };
  const [tagOfDeleted, tagOfHidden] = [await open(deleted), await open(hidden)];
  const expectGone = async ({ url }: { url: string }, etag: string) => {
    // A browser that has a copy asks whether it is still current.
    const conditional = await fetch(url, { headers: { 'if-none-match': etag } });
    for (const answer of [await fetch(url), await fetch(`${url}?size=400`), conditional]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
  };
  const removed = await storageOf(app.url, coach).from('gallery').remove([deleted.path]);
  expect(removed.error).toBeNull();
  await expectGone(deleted, tagOfDeleted);
  await open(hidden);
  for (const host of [1, 2, 3]) expect((await reportFrom(host, hidden.pictureId)).status).toBe(200);
  await expectGone(hidden, tagOfHidden);
  const admin = await app.signIn('admin');
  const removal = { pictureId: hidden.pictureId, decision: 'remove' as const };
  expect((await app.call(admin, storageApi.decidePicture, removal)).status).toBe(200);
  await expectGone(hidden, tagOfHidden);
});

test('hides a picture after reports from three visitors, until an admin keeps it [FILE-9c, FILE-9d, RT-5c]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const { pictureId, path, url } = await addGalleryPicture(app.url, coach);
  const replace = async () =>
    storageOf(app.url, coach)
      .from('gallery')
      .update(path, await makePicture({ width: 300 }), { metadata: { isConsentConfirmed: true } });
  const remove = (...paths: string[]) => storageOf(app.url, coach).from('gallery').remove(paths);
  const other = await addGalleryPicture(app.url, coach, 'other');
  expect((await app.call(null, storageApi.getPicture, { pictureId })).body.picture.alt).toBe('Serving');
  const live = openLive(app.url, () => admin.token);
  onTestFinished(() => void live.close());
  const queue = live.join('admin');
  expect(await queue.answered()).toBe('SUBSCRIBED');
  for (const host of [1, 1, 1, 2]) expect((await reportFrom(host, pictureId)).status).toBe(200);
  await queue.next(({ payload }) => payload.kind === 'pictures');
  expect((await fetch(url)).status).toBe(200);
  // The reports still count after the picture is replaced.
  expect((await replace()).error).toBeNull();
  const customer = await app.signIn('customer');
  expect((await reportFrom(1, pictureId, 'Not mine', customer)).status).toBe(200);
  expect((await fetch(url)).status).toBe(404);
  expect((await reportFrom(9, pictureId)).status).toBe(404);
  const { body: own } = await app.call(coach, storageApi.listGallery, {});
  expect(own.pictures).toMatchObject([
    { pictureId, isHidden: true },
    { pictureId: other.pictureId, isHidden: false },
  ]);
  expect((await fetch(app.url + own.pictures[0]!.url)).status).toBe(200);
  const refusal =
    'Visitors have reported this picture. You can replace or remove it once an admin has made a decision.';
  expect((await replace()).error?.message).toBe(refusal);
  expect((await remove(other.path, path)).error?.message).toBe(refusal);
  expect((await app.call(coach, storageApi.listGallery, {})).body).toEqual(own);

  const { body: reported } = await app.call(admin, storageApi.listReportedPictures, {});
  expect(reported.pictures).toMatchObject([
    {
      ...{ pictureId, isHidden: true, ownerId: coach.userId, bucket: 'gallery' },
      reports: [{ reason: 'My child is in it' }, { reason: 'My child is in it' }, { reason: 'Not mine' }],
    },
  ]);
  expect((await fetch(`${app.url}${reported.pictures[0]!.url}&size=400`)).status).toBe(200);
  const emails = await eventually(async () => {
    const emails = await app.emailsTo(admin.email);
    return emails.length >= 2 ? emails : null;
  });
  expect(emails.map(({ subject }) => subject).sort()).toEqual([
    expect.stringMatching(/^A picture was reported on /),
    expect.stringMatching(/^A reported picture is hidden on /),
  ]);

  // The other admins' lists are refetched.
  await app.db.deleteFrom('changes').execute();
  queue.messages.length = 0;
  expect((await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'keep' })).status).toBe(200);
  await queue.next(({ payload }) => payload.kind === 'pictures');
  expect((await fetch(url)).status).toBe(200);
  expect((await app.call(admin, storageApi.listReportedPictures, {})).body.pictures).toEqual([]);
  // The visitors who have already reported the picture cannot hide it again.
  for (const host of [1, 2]) await reportFrom(host, pictureId);
  expect((await fetch(url)).status).toBe(200);
  const { body: log } = await app.call(admin, adminApi.listAudit, { search: pictureId });
  expect(log.entries.map(({ action }) => action)).toEqual(['picture.kept', 'picture.hidden']);
  // The same visitors can report the picture that replaces it.
  expect((await replace()).error).toBeNull();
  for (const host of [1, 2, 3]) await reportFrom(host, pictureId);
  expect((await fetch(url)).status).toBe(404);
  await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'keep' });
  expect((await remove(path)).error).toBeNull();
  expect((await fetch(url)).status).toBe(404);
});

test("deletes a hidden picture with its coach's account", async () => {
  const coach = await app.signIn('coach', 'customer');
  const { pictureId } = await addGalleryPicture(app.url, coach);
  for (const host of [61, 62, 63]) await reportFrom(host, pictureId);
  expect((await app.call(coach, storageApi.listGallery, {})).body.pictures).toMatchObject([
    { isHidden: true },
  ]);
  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error).toBeUndefined();
  const left = app.db.selectFrom('storageObjects').selectAll().where('ownerUserId', '=', coach.userId);
  expect(await left.execute()).toEqual([]);
});

test('keeps a picture hidden until an admin decides, even if its reporters leave', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const { pictureId, url } = await addGalleryPicture(app.url, coach);
  const reporters = [];
  for (const host of [51, 52, 53]) {
    const reporter = await app.signIn('customer');
    await reportFrom(host, pictureId, 'Not mine', reporter);
    reporters.push(reporter);
  }
  for (const reporter of reporters) await app.call(reporter, ownAccountApi.deleteAccount, {});
  expect((await fetch(url)).status).toBe(404);
  const { body } = await app.call(admin, storageApi.listReportedPictures, {});
  expect(body.pictures.find((picture) => picture.pictureId === pictureId)).toMatchObject({
    isHidden: true,
    reports: [],
  });
  expect((await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'keep' })).status).toBe(200);
  expect((await fetch(url)).status).toBe(200);
});

test('removes a reported picture, records who decided and notifies its owner [FILE-9d]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const admin = await app.signIn('admin');
  const { pictureId, url } = await addGalleryPicture(app.url, coach);
  expect((await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'remove' })).status).toBe(
    404,
  );
  await reportFrom(20, pictureId);
  expect((await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'remove' })).status).toBe(
    200,
  );
  expect((await fetch(url)).status).toBe(404);
  expect((await app.call(coach, storageApi.listGallery, {})).body.pictures).toEqual([]);
  const [entry] = (await app.call(admin, adminApi.listAudit, { search: pictureId })).body.entries;
  expect(entry).toMatchObject({
    ...{ action: 'picture.removed', actor: { userId: admin.userId } },
    ...{ before: { state: 'live' }, after: { state: 'removed', ownerUserId: coach.userId } },
  });
  const [email] = await eventually(async () => {
    const emails = await app.emailsTo(coach.email);
    return emails.length > 0 ? emails : null;
  });
  expect(email!.subject).toMatch(/^We removed one of your pictures on /);
});

test("lets visitors report a coach's profile picture and an admin remove it [FILE-9c, FILE-9d]", async () => {
  const [coach, admin] = [await app.signIn('coach', 'customer'), await app.signIn('admin')];
  const path = `${coach.userId}/avatar`;
  const avatars = storageOf(app.url, coach).from('avatars');
  const { data, error } = await avatars.upload(path, await makePicture());
  expect(error).toBeNull();
  const pictureId = data!.id;
  const url = `${app.url}/storage/v1/object/public/avatars/${path}`;
  const page = async () => (await fetch(`${app.url}/coaches/${coach.userId}`)).text();
  expect(await page()).toContain(`href="/pictures/${pictureId}/report"`);
  expect((await reportFrom(31, pictureId, 'Not this coach')).status).toBe(200);
  const listed = async () =>
    (await app.call(admin, storageApi.listReportedPictures, {})).body.pictures.find(
      (picture) => picture.pictureId === pictureId,
    );
  expect(await listed()).toMatchObject({
    ...{ bucket: 'avatars', ownerId: coach.userId, isHidden: false },
    reports: [{ reason: 'Not this coach' }],
  });
  for (const host of [32, 33]) {
    expect((await fetch(url)).status).toBe(200);
    expect((await reportFrom(host, pictureId)).status).toBe(200);
  }
  expect((await fetch(url)).status).toBe(404);
  expect(await page()).not.toContain(pictureId);
  const hidden = (await listed())!;
  expect([hidden.isHidden, (await fetch(`${app.url}${hidden.url}&size=128`)).status]).toEqual([true, 200]);
  expect((await app.call(admin, storageApi.decidePicture, { pictureId, decision: 'remove' })).status).toBe(
    200,
  );
  expect(await listed()).toBeUndefined();
  expect((await app.call(coach, accountsApi.getProfile, {})).body.profile!.avatarUrl).toBeNull();
  const { entries } = (await app.call(admin, adminApi.listAudit, { search: pictureId })).body;
  expect(entries[0]).toMatchObject({ action: 'picture.removed', actor: { userId: admin.userId } });
});

test('shows pictures to visitors only while the coach can be booked [FILE-9b]', async () => {
  const coach = await app.signIn('coach', 'customer');
  const { pictureId, url } = await addGalleryPicture(app.url, coach);
  const page = async () => (await fetch(`${app.url}/coaches/${coach.userId}`)).text();
  expect(await page()).toContain(`/pictures/${pictureId}/report`);
  for (const change of [{ isActive: false }, { isActive: true, isListed: false }]) {
    await app.db.updateTable('coaches').set(change).where('coachId', '=', coach.userId).execute();
    expect((await fetch(url)).status).toBe(404);
    expect((await app.call(null, storageApi.getPicture, { pictureId })).status).toBe(404);
    expect((await reportFrom(30, pictureId)).status).toBe(404);
    expect(await page()).not.toContain(pictureId);
  }
});

test('accepts ten reports from one IP address and refuses the next', async () => {
  const coach = await app.signIn('coach', 'customer');
  const { pictureId } = await addGalleryPicture(app.url, coach);
  const statuses = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await reportFrom(40, pictureId)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('lets coaches change the descriptions of only their own pictures [FILE-6b]', async () => {
  const [coach, other] = [await app.signIn('coach'), await app.signIn('coach')];
  const { pictureId } = await addGalleryPicture(app.url, coach);
  const describe = (who: Someone, alt: string) =>
    app.call(who, storageApi.describePicture, { pictureId, alt });
  expect((await describe(other, 'Mine')).status).toBe(404);
  expect((await describe(coach, 'A court')).status).toBe(200);
  expect((await app.call(coach, storageApi.listGallery, {})).body.pictures).toMatchObject([
    { alt: 'A court' },
  ]);
  expect((await describe(coach, '')).status).toBe(200);
  expect((await app.call(coach, storageApi.listGallery, {})).body.pictures).toMatchObject([{ alt: '' }]);
});

test('shows avatars on the discover page, in My Coaches and to the coach of a lesson [FILE-6c]', async () => {
  const { coach } = club;
  await storageOf(app.url, coach)
    .from('avatars')
    .upload(`${coach.userId}/avatar`, await makePicture());
  const slotId = await club.publish();
  const { body: found } = await app.call(null, discoverApi.discoverSlots, { coachId: coach.userId });
  const url = found.slots.find((slot) => slot.slotId === slotId)!.coachAvatarUrl!;
  expect(url).toMatch(new RegExp(`^/storage/v1/object/public/avatars/${coach.userId}/avatar\\?v=`));
  const shown = await fetch(`${app.url}${url}&size=128`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);

  const customer = await club.join();
  await storageOf(app.url, customer)
    .from('avatars')
    .upload(`${customer.userId}/avatar`, await makePicture());
  expect((await club.bookUntilDecided(customer, slotId)).status).toBe(200);
  const { body } = await app.call(coach, lessonsApi.listAttendees, { slotId });
  const theirs = body.attendees[0]!.avatarUrl!;
  const kept = (await fetch(`${app.url}${theirs}&size=128`)).headers.get('cache-control');
  expect(kept).toMatch(/^private, max-age=\d+$/);
  expect(Number(kept!.split('=')[1])).toBeLessThanOrEqual(3600);
  const { body: mine } = await app.call(customer, bookingsApi.listMyCoaches, {});
  expect(mine.coaches[0]!.avatarUrl).toBe(url);
  const change = (values: { isActive?: boolean; isListed?: boolean }) =>
    app.db.updateTable('coaches').set(values).where('coachId', '=', coach.userId).execute();
  for (const values of [{ isActive: false }, { isActive: true, isListed: false }]) {
    await change(values);
    const { coaches } = (await app.call(customer, bookingsApi.listMyCoaches, {})).body;
    expect(coaches[0]!.avatarUrl).toBeNull();
    expect(await readPublicAvatar(app.db, coach.userId), 'in emails').toBeNull();
  }
  await change({ isListed: true });
  const { body: own } = await app.call(customer, accountsApi.getProfile, {});
  expect((await fetch(`${app.url}${own.profile!.avatarUrl}&size=128`)).status).toBe(200);
  await storageOf(app.url, customer)
    .from('avatars')
    .remove([`${customer.userId}/avatar`]);
  expect((await fetch(`${app.url}${theirs}&size=128`)).status).toBe(404);
  expect((await app.call(customer, accountsApi.getProfile, {})).body.profile!.avatarUrl).toBeNull();
});
