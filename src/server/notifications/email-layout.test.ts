import { expect, test } from 'vitest';
import { renderEmailHtml } from './email-layout.ts';

const letterhead = { brand: 'Leeds <Lessons>', contactEmail: 'hello@club.example' };
const render = (text: string) => renderEmailHtml({ subject: 'Hello & welcome', text }, letterhead);

test('makes paragraphs, keeps intended line breaks and joins wrapped lines', () => {
  const wrapped = 'This sentence is so long that anyone who wrote it had to break the line somewhere';
  const html = render(
    `Hello Ana,\n\n${wrapped}\nin the middle.\n\nTennis basics\nPaid: £50.00\n\nLeeds <Lessons>\n`,
  );
  expect(html).toContain('>Hello Ana,</p>');
  expect(html).toContain(`${wrapped} in the middle.</p>`);
  expect(html).toContain('Tennis basics<br>\nPaid: £50.00</p>');
  expect(html.match(/Leeds &lt;Lessons&gt;/g), 'the name once, above').toHaveLength(1);
});

test('turns a link into a labelled button with its URL below', () => {
  const link = 'https://club.example/verify?token_hash=abc&link=signup';
  const html = render(`Open this link:\n\n${link}\n`);
  const escaped = link.replace('&', '&amp;');
  expect(html).toContain(`href="${escaped}"`);
  expect(html).toContain('>Confirm your email address</a>');
  expect(html).toContain(`>${escaped}</a>`);
});

test('escapes text that people typed and loads no external resources', () => {
  const html = render('<img src=x onerror=alert(1)> said "hi" & left');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; said &quot;hi&quot; &amp; left');
  expect(html).toContain('<title>Hello &amp; welcome</title>');
  expect(html).not.toMatch(/<(?:img|script|link|iframe)\b/);
  expect(html).toContain('write to <a href="mailto:hello@club.example"');
});
