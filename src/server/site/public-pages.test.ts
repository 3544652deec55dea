import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { defaultBrand } from '#domain/default-brand.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { createApp } from '#server/app.ts';
import { revokeRole } from '#server/businesses/change-roles.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { listen } from '#server/platform/http/listen.ts';
import { createLog } from '#server/platform/log.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import {
  beforeTests,
  eventually,
  setUpTestApp,
  untilLockIsAwaited,
} from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const coach = beforeTests(() => app.signIn('coach'));

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(app.url + path, { headers });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};

/** The text that a reader without scripts and styles would get, with HTML entities except the apostrophe's. */
const textOf = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#x27;', "'");

function structuredDataOf(html: string) {
  const found = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1];
  return JSON.parse(found ?? 'null');
}

/** Publishes `count` lessons of the coach, one a day from tomorrow. */
async function publish(
  who: Someone,
  { title, count, seats, ...ages }: { title: string; count: number; seats: number; maxAge?: number },
) {
  const created = await app.call(who, catalogueApi.createTemplate, {
    title,
    description: 'Bring water.',
    sport: 'tennis',
    durationMinutes: 60,
    basePriceCents: 4550,
    lessonType: seats > 1 ? 'group' : 'individual',
    minCapacity: seats > 1 ? 2 : 1,
    maxCapacity: seats,
    ...ages,
  });
  const startDate = addDays(wallTimeOf(Date.now()).date, 1);
  const { status } = await app.call(who, slotsApi.createSlots, {
    templateId: created.body.template.templateId,
    mode: 'dates',
    startDate,
    additionalDates: Array.from({ length: count - 1 }, (_, day) => addDays(startDate, day + 1)),
    hour: 9,
    minute: 0,
  });
  expect(status).toBe(200);
}

const setName = (who: Someone, fullName: string) =>
  app.db.updateTable('profiles').set({ fullName }).where('userId', '=', who.userId).execute();

test('renders the landing page on the server, with its texts and links [LAND-1, LAND-3, LAND-4]', async () => {
  const empty = await read('/');
  expect(empty.status).toBe(200);
  expect(empty.html).not.toContain('Next available lessons');

  await setName(coach, 'Tess Trial');
  await publish(coach, { title: 'Serve clinic', count: 4, seats: 8, maxAge: 12 });
  const { html } = await eventually(async () => {
    const page = await read('/');
    return page.html.includes('Serve clinic') ? page : null;
  });
  const text = textOf(html);
  for (const sentence of [
    'Connect with Elite Sports Coaches Book personalized coaching sessions, track your progress, and achieve your athletic goals with professional instructors.',
    ...['Easy booking', 'Secure payments', 'Coaches for every level', 'Trusted platform'],
    ...['Progress tracking', 'Instant notifications', '£45.50', '8 of 8 left', ', 09:00'],
  ]) {
    expect(text).toContain(sentence);
  }
  expect(html.match(/Serve clinic/g), 'three lessons of the four').toHaveLength(3);
  expect(html).toContain('href="/coaches/tess-trial"');
  for (const [name, path] of [
    ['Find Your Coach', '/customer/discover'],
    ['Join as Coach', '/signup\\?next=/become-a-coach'],
    ['Coach with us', '/signup\\?next=/become-a-coach'],
    ['Get Started Today', '/signup'],
    ['Browse Coaches', '/customer/discover'],
  ]) {
    expect(html).toMatch(new RegExp(`<a href="${path}"[^>]*>${name}</a>`));
  }
  expect(html).toContain(`<link rel="canonical" href="${app.config.publicUrl}/"/>`);
  expect(structuredDataOf(html)).toMatchObject({ '@type': 'WebSite', name: defaultBrand });
});

test("shows the operator's brand and figures [LAND-2b]", async () => {
  const brand = { name: 'Ball & <b>Chain</b>' };
  await storeSetting(app, 'brand', brand);
  const stats = [{ figure: '12', label: 'coaches in <i>Leeds</i>' }];
  await storeSetting(app, 'landingStats', { mode: 'typed', stats });
  const { html } = await eventually(async () => {
    const page = await read('/');
    return page.html.includes('coaches in') ? page : null;
  });
  expect(html).toContain('<title>Ball &amp; &lt;b&gt;Chain&lt;/b&gt;</title>');
  expect(textOf(html)).toContain(' coaches in &lt;i&gt;Leeds&lt;/i&gt; 12 ');
  expect(html).not.toContain('500+');
  expect(html).not.toMatch(/<b>|<i>/);
  expect(structuredDataOf(html).name).toBe(brand.name);
  const manifest = JSON.parse((await read('/manifest.webmanifest')).html);
  expect(manifest).toMatchObject({ name: brand.name, start_url: '/', display: 'standalone' });

  await storeSetting(app, 'landingStats', { mode: 'hidden', stats });
  await storeSetting(app, 'brand', { name: defaultBrand });
  const hidden = await eventually(async () => {
    const page = await read('/');
    const isNew = !page.html.includes('coaches in') && page.html.includes(`<title>${defaultBrand}</title>`);
    return isNew ? page : null;
  });
  expect(hidden.html).not.toContain('500+');
  expect(hidden.html).not.toContain('<dl');
});

test('returns 304 for an unchanged page and compresses pages', async () => {
  await setName(coach, 'Tess Trial');
  const path = '/coaches/tess-trial';
  const first = await read(path);
  const etag = first.headers.get('etag')!;
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const again = await read(path, { 'if-none-match': etag });
  expect([again.status, again.html, again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await read(path, { 'if-none-match': 'W/"another"' })).status).toBe(200);
  const compressed = await fetch(app.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(Number(compressed.headers.get('content-length'))).toBeLessThan(first.html.length / 3);
});

test("shows only public details on a coach's page [BIZ-2b]", async () => {
  await setName(coach, 'Łukasz Trial');
  await app.call(coach, businessesApi.saveCoachProfile, {
    coachType: 'Tennis coach',
    bio: 'Calm and clear.\nPlenty of balls hit.',
    sports: ['tennis', 'badminton'],
    towns: ['Leeds', 'York'],
    languages: ['English', 'Polish'],
    hourlyRateCents: 4500,
  });
  await app.call(coach, businessesApi.saveBusiness, {
    businessName: 'Park Coaching',
    businessEmail: 'office@park.example',
    businessPhone: '0113 496 0000',
    businessAddress: '12 Park Road, Leeds',
    taxId: 'GB123456789',
  });
  const { status, html } = await read(`/coaches/${coach.userId}`);
  expect(status).toBe(200);
  const text = textOf(html);
  for (const sentence of [
    ...['Łukasz Trial Tennis coach Tennis Badminton £45.00 an hour', 'Business Park Coaching'],
    ...['Coaches in Leeds and York', 'Speaks English and Polish'],
    ...['About Łukasz Trial Calm and clear. Plenty of balls hit.'],
    ...['Upcoming lessons', 'Serve clinic', 'Ages 12 and under', 'See all lessons'],
  ]) {
    expect(text).toContain(sentence);
  }
  for (const secret of [coach.email, 'office@park.example', '0113 496', '12 Park Road', 'GB123456789']) {
    expect(html).not.toContain(secret);
  }
  expect(html).toContain(`<title>Łukasz Trial, Tennis coach in Leeds · ${defaultBrand}</title>`);
  expect(html).toMatch(
    /<meta name="description" content="Book tennis and badminton lessons with Łukasz Trial/,
  );
  expect(html).toContain(`<link rel="canonical" href="${app.config.publicUrl}/coaches/lukasz-trial"/>`);
  expect(html).toContain('<meta property="og:title" content="Łukasz Trial, Tennis coach in Leeds"/>');
  expect(html).toMatch(new RegExp(`href="/customer/discover\\?coachId=${coach.userId}&amp;book=[\\w-]{36}"`));
  const [profile, lesson] = structuredDataOf(html)['@graph'];
  expect(profile).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: {
      name: 'Łukasz Trial',
      jobTitle: 'Tennis coach',
      knowsAbout: ['Tennis', 'Badminton'],
      worksFor: { name: 'Park Coaching' },
    },
  });
  expect(lesson).toMatchObject({ '@type': 'Event', offers: { priceCurrency: 'GBP', price: '45.50' } });
});

test("escapes a coach's texts in the page and its structured data", async () => {
  const attack = '</script><img src=x onerror=alert(1)>"\'&';
  await setName(coach, attack);
  await app.call(coach, businessesApi.saveCoachProfile, { coachType: attack, bio: attack, towns: [attack] });
  const { status, html } = await read(`/coaches/${coach.userId}`);
  expect(status).toBe(200);
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  const [profile] = structuredDataOf(html)['@graph'];
  expect(profile.mainEntity).toMatchObject({ name: attack, jobTitle: attack, description: attack });
  await setName(coach, 'Tess Trial');
});

test("shows a 404 page that links to discover for ids that are not a coach's [NAV-2]", async () => {
  const customer = await app.signIn('customer');
  const former = await app.signIn('coach');
  expect((await read(`/coaches/${former.userId}`)).status).toBe(200);
  await revokeRole(app.db, { system: 'test' }, former.userId, 'coach');
  for (const id of [randomUUID(), 'x', "1' or 1=1", '%00', '%f0%9f', customer.userId, former.userId]) {
    const { status, html, headers } = await read(`/coaches/${encodeURI(id)}`);
    expect(status, id).toBe(404);
    expect(headers.get('content-type'), id).toMatch(/^text\/html/);
    expect(textOf(html), id).toContain('Coach not found');
    expect(html, id).toContain('href="/customer/discover"');
    expect(html, id).toContain('<meta name="robots" content="noindex"/>');
  }
});

test('shows the 404 page for a coach who is hidden while the page is rendered', async () => {
  const { userId } = await app.signIn('coach');
  let visit: ReturnType<typeof read> | undefined;
  await app.db.transaction().execute(async (tx) => {
    // Locks the documents behind the badges, so that the page waits after it has found the coach.
    await sql`lock table coach_documents in access exclusive mode`.execute(tx);
    visit = read(`/coaches/${userId}`);
    await untilLockIsAwaited(app.db);
    await sql`update coaches set is_listed = false where coach_id = ${userId}::uuid`.execute(tx);
  });
  const { status, html } = await visit!;
  expect(status).toBe(404);
  expect(textOf(html)).toContain('Coach not found');
});

test('lists coaches for crawlers and excludes private pages', async () => {
  const robots = (await read('/robots.txt')).html;
  expect(robots).toContain(`Sitemap: ${app.config.publicUrl}/sitemap.xml`);
  expect(robots).toMatch(/Allow: \/customer\/discover[\s\S]*Disallow: \/customer\//);
  const { html, headers } = await read('/sitemap.xml');
  expect(headers.get('content-type')).toMatch(/^application\/xml/);
  const addresses = [...html.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  expect(addresses.slice(0, 2)).toEqual([`${app.url}/`, `${app.url}/customer/discover`]);
  expect(addresses).toContain(`${app.url}/coaches/tess-trial`);
  for (const address of addresses.slice(2)) expect((await fetch(address!)).status, address).toBe(200);
});

test('shows visitors an error page while the database is down', async () => {
  const away = openDatabase(openPool('postgres://nobody@127.0.0.1:1/none', { size: 2 }));
  const log = createLog('silent');
  const parts = createApp({ config: app.config, db: away, readDb: away, cards: app.cards, log });
  const served = await listen(parts.fetch, { port: 0, host: '127.0.0.1' });
  for (const path of ['/', `/coaches/${coach.userId}`]) {
    const answer = await fetch(`http://127.0.0.1:${served.port}${path}`);
    expect(answer.status, path).toBe(503);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(textOf(await answer.text())).toContain("can't show this page right now");
  }
  served.server.closeAllConnections();
  served.server.close();
  await away.destroy();
});
