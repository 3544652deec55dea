import { expect, test } from 'vitest';
import { settingsApi } from '#domain/settings/contract.ts';
import { siteTextsApi } from '#domain/settings/site-texts-contract.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const readPage = async (slug: string) => {
  const answer = await fetch(`${app.url}/${slug}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  return answer.text();
};

test('serves terms, privacy, help and contact pages, with the contact address if set', async () => {
  const titles = { terms: 'Terms', privacy: 'Privacy', help: 'Help', contact: 'Contact' };
  for (const [slug, title] of Object.entries(titles)) {
    const page = await readPage(slug);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).not.toMatch(/\{brand\}|\{contact\}/);
  }
  expect(await readPage('contact')).toContain('the address that our emails come from');
  await app.call(admin, settingsApi.updateContact, { email: 'desk@club.test' });
  await eventually(async () => (await readPage('contact')).includes('href="mailto:desk@club.test"'));
  expect(await (await fetch(`${app.url}/`)).text()).toContain('href="/terms"');
});

test("escapes and audits the operator's text, and restores the default", async () => {
  const text =
    '## Our rules\nAll of them.\n\n- Be kind\n- <script>alert(1)</script>\n\nWrite to {contact}, {brand}.';
  const saved = await app.call(admin, siteTextsApi.save, { slug: 'terms', text });
  expect(saved.body.texts.find(({ slug }) => slug === 'terms')).toEqual({
    slug: 'terms',
    text,
    isDefault: false,
  });
  const page = await eventually(async () => {
    const html = await readPage('terms');
    return html.includes('Our rules') ? html : null;
  });
  expect(page).toMatch(/Our rules<\/h2><p>All of them\.<\/p>/);
  expect(page).toContain('<li>&lt;script&gt;alert(1)&lt;/script&gt;</li>');
  const recorded = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId'])
    .where('subjectId', '=', 'text_terms')
    .execute();
  expect(recorded).toEqual([{ action: 'setting.changed', actorUserId: admin.userId }]);
  const reset = await app.call(admin, siteTextsApi.save, { slug: 'terms', text: ' ' });
  expect(reset.body.texts.find(({ slug }) => slug === 'terms')?.isDefault).toBe(true);
  const tooLong = await app.call(admin, siteTextsApi.save, { slug: 'terms', text: 'x'.repeat(15_001) });
  expect([tooLong.status, Object.keys(tooLong.error?.fields ?? {})]).toEqual([422, ['text']]);
});
