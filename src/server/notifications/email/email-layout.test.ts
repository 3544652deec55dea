import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message, MessagePart } from '#domain/message.ts';
import { findPage } from '#domain/pages.ts';
import { formatTime } from '#domain/time.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { composeBookedMessage, composeReturnedMessage } from '../templates/bookings.ts';
import { renderEmailHtml } from './email-layout.tsx';
import { emailColours } from './email-styles.ts';
import { writeEmailText } from './email-text.ts';
import { sampleBooking, sampleData, sampleMessages } from './sample-messages.test-support.ts';

const letterhead = {
  brand: 'Leeds <Lessons>',
  contactEmail: 'hello@club.example',
  publicUrl: 'https://club.example',
  unsubscribeUrl: 'https://club.example/unsubscribe?token=a&b',
};
const render = (message: Message, more = {}) => renderEmailHtml(message, { ...letterhead, ...more });
const all = Object.entries(sampleMessages).flatMap(([name, messages]) =>
  messages.map((message, n) => ({ name: `${name} ${n + 1}`, message })),
);

const oneSpace = (text: string) => text.replace(/\s+/g, ' ');
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!);

/** The visible text of the HTML part, without the preheader. */
const readHtml = (html: string) =>
  oneSpace(
    decode(
      html
        .replace(/[\s\S]*<body/, '<body')
        .replace(/<div[^>]*data-skip-in-text[^>]*>[^<]*(<div>[^<]*<\/div>)?<\/div>/, '')
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/<(br|\/p|\/td|\/div)\b[^>]*>/g, '\n')
        .replace(/<[^>]*>/g, ''),
    ),
  );

/** Everything that a message states, in reading order. */
function factsOf({ body, action, closing = [] }: Message): string[] {
  const factsOfPart = (part: MessagePart): string[] => {
    if (typeof part === 'string') return [part];
    if ('quote' in part) return [`“${part.quote}”`];
    return 'lesson' in part ? [part.lesson, ...part.lines] : part.facts.flat();
  };
  const link = action ? [action.label, letterhead.publicUrl + action.path] : [];
  return [...body.flatMap(factsOfPart), ...link, ...closing].map(oneSpace);
}

/** The rest of a text after these facts are removed. The text must contain the facts in this order. */
function without(facts: string[], text: string, name: string): string {
  let [rest, unread] = ['', text];
  for (const fact of facts) {
    const at = unread.indexOf(fact);
    expect(at, `${name} says: ${fact}`).toBeGreaterThanOrEqual(0);
    rest += `${unread.slice(0, at)} `;
    unread = unread.slice(at + fact.length);
  }
  return oneSpace(rest + unread).trim();
}

test('has a sample message for every template', async () => {
  const root = join(packageRoot, 'src/server/notifications');
  const folders = (await readdir(root)).filter((name) => name.endsWith('templates'));
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder))).map((file) => join(root, folder, file)),
    ),
  );
  const modules = await Promise.all(
    files.flat().map((file): Promise<Record<string, unknown>> => import(file)),
  );
  const names = modules.flatMap(Object.keys).filter((name) => name.startsWith('compose'));
  expect(Object.keys(sampleMessages).sort()).toEqual(names.sort());
});

test('says the same in HTML and text, in the same order, and nothing else [NOTE-5a]', () => {
  const reply = 'Questions? Reply to this email, or write to hello@club.example.';
  for (const { name, message } of all) {
    const facts = factsOf(message);
    const { unsubscribeUrl: url } = letterhead;
    const text = without(facts, oneSpace(writeEmailText(message, letterhead)), name);
    expect(text.replace(/^[: ]+/, ''), name).toBe(`Leeds <Lessons> ${reply} Stop these emails: ${url}`);
    const html = without(facts, readHtml(render(message)), name);
    const link = message.action ? 'Or open this link: ' : '';
    expect(html, name).toBe(`Leeds <Lessons> ${link}${reply} Stop these emails`);
  }
});

test('states the time zone, location and amount in emails with a booking reference [NOTE-5b]', () => {
  const receipts = Object.entries(sampleMessages)
    .map(([name, [first]]) => ({ name, message: first! }))
    .filter(({ message: { body } }) => JSON.stringify(body).includes('Booking reference'))
    .filter(({ message: { body } }) => body.some((part) => typeof part === 'object' && 'lesson' in part));
  expect(receipts.map(({ name }) => name).sort()).toEqual([
    ...['composeBookedMessage', 'composeBorneRefundMessage', 'composeCancelledMessage'],
    ...['composeChangedMessage', 'composeDeskRefundMessage', 'composeMovedByAdminMessage'],
    ...['composeMovedMessage', 'composeRefundFailedMessage', 'composeRefundSettledMessage'],
    ...['composeRefundWaitingMessage', 'composeRefundedMessage', 'composeRelocatedMessage'],
    ...['composeReminderMessage', 'composeReturnedMessage'],
  ]);
  const halves = ['composeBorneRefundMessage', 'composeDeskRefundMessage', 'composeRefundedMessage'];
  for (const { name, message } of receipts) {
    const text = writeEmailText(message, letterhead);
    const { startTime, endTime } = sampleBooking;
    expect(text, name).toContain(`${formatTime(startTime)}–${formatTime(endTime)} (London time)`);
    expect(text, name).toContain('Roundhay Park, 14 Park Road, Leeds, LS8 1ER');
    expect(text, name).toContain(halves.includes(name) ? '£25.00' : '£50.00');
  }
  expect(writeEmailText(composeBookedMessage(sampleData), letterhead)).toContain('\nPaid: £50.00 with Visa');
});

test('omits what is true of only one of several lessons paid for together', () => {
  const { title, startTime, endTime, amountCents } = sampleBooking;
  const lesson = { participantName: 'Mia Morgan', title, startTime, endTime, amountCents };
  const [forCancelled, forScheduled] = ['cancelled', 'scheduled'].map((slotStatus) => {
    const booking = { ...sampleBooking, slotStatus };
    return composeReturnedMessage({ ...sampleData, booking, paidTogether: [lesson, lesson] });
  });
  expect(forCancelled).toEqual(forScheduled);
});

test('has at most one button, which opens one of our pages, with its URL below [NOTE-5c]', () => {
  for (const { name, message } of all) {
    const html = render(message);
    const buttons = [...html.matchAll(/<a href="([^"]*)"[^>]*class="button"/g)].map(([, url]) =>
      decode(url!),
    );
    const url = message.action && letterhead.publicUrl + message.action.path;
    expect(buttons, name).toEqual(url ? [url] : []);
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => decode(href!));
    const footer = ['mailto:hello@club.example', letterhead.unsubscribeUrl];
    expect(links, name).toEqual(url ? [url, url, ...footer] : footer);
    if (!url) continue;
    expect(findPage(new URL(url).pathname, { isDemo: false }), `${name}: ${url}`).not.toBeNull();
    expect(writeEmailText(message, letterhead), name).toContain(`\n\n${url}\n\n`);
  }
});

test("loads nothing but the coach's picture, and says the same without it [NOTE-5d]", () => {
  for (const { name, message } of all) {
    const html = render(message);
    const pictures = [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
    for (const picture of pictures) {
      expect(decode(picture), name).toContain(`src="https://club.example${sampleData.coachPicture}"`);
      expect(picture, name).toContain(`alt="${sampleBooking.coachName}"`);
      expect(picture, name).toMatch(/ height="48" .* width="48"/);
    }
    expect(html, name).not.toMatch(/<(?:script|link|iframe|object|video|form)\b|url\(|@import|background=/);
  }
  const withPicture = render(composeBookedMessage(sampleData));
  expect(withPicture.match(/<img /g)).toHaveLength(1);
  const noPicture = render(composeBookedMessage({ ...sampleData, coachPicture: null }));
  expect(noPicture).not.toContain('<img');
  expect(readHtml(noPicture)).toBe(readHtml(withPicture));
});

test('escapes text that people typed and keeps its line breaks', () => {
  const typed = '<img src=x onerror=alert(1)> said "hi" & left\nthen came back';
  const html = render({
    subject: 'Hello & </title>',
    summary: typed,
    body: [typed, { quote: typed }, { facts: [[typed, typed]] }, { lesson: typed, lines: [typed] }],
    action: { label: typed, path: '/account?q="><b>' },
    closing: [typed],
  });
  expect(html).not.toMatch(/<img|<b>/);
  expect(html).toContain('<title>Hello &amp; &lt;/title&gt;</title>');
  expect(html).toContain(
    '&lt;img src=x onerror=alert(1)&gt; said &quot;hi&quot; &amp; left<br/>then came back',
  );
  expect(html).toContain('href="https://club.example/account?q=&quot;&gt;&lt;b&gt;"');
});

test('writes paragraphs, quotations, facts and lessons as text', () => {
  const message: Message = {
    subject: 'Booked',
    body: [
      'Hello Ana,',
      { lesson: 'Tennis', lines: ['Sat 21 Nov', 'Leeds'] },
      { quote: 'Rain' },
      {
        facts: [
          ['Paid', '£50.00'],
          ['Old description', 'One\nTwo'],
        ],
      },
    ],
    action: { label: 'View your booking', path: '/customer/bookings/1' },
    closing: ['See you there.'],
  };
  const sender = { ...letterhead, contactEmail: null, unsubscribeUrl: null };
  expect(writeEmailText(message, sender)).toBe(`Hello Ana,

Tennis
Sat 21 Nov
Leeds

“Rain”

Paid: £50.00
Old description:
One
Two

View your booking:

https://club.example/customer/bookings/1

See you there.

Leeds <Lessons>
This email was sent automatically.
`);
});

test('uses the summary as the preheader, or else the first paragraph', () => {
  const preheader = (message: Message) =>
    decode(/data-skip-in-text="true">([^<\u00a0]*)/.exec(render(message))![1]!);
  expect(preheader({ subject: 'S', summary: 'It was 09:00 & late.', body: ['First.'] })).toBe(
    'It was 09:00 & late.',
  );
  expect(preheader({ subject: 'S', body: [{ quote: 'Q' }, 'First.', 'Second.'] })).toBe('First.');
});

test('links to the unsubscribe page only if the letterhead has its URL', () => {
  const message = { subject: 'S', body: ['B'] };
  expect(render(message)).toContain('href="https://club.example/unsubscribe?token=a&amp;b"');
  for (const part of [renderEmailHtml, writeEmailText]) {
    expect(part(message, { ...letterhead, unsubscribeUrl: null })).not.toMatch(/unsubscribe|Stop these/);
  }
});

test("uses the app's colours, each with its dark variant", async () => {
  const css = await readFile(join(packageRoot, 'src/web/styles.css'), 'utf8');
  for (const [token, colours] of Object.entries(emailColours)) {
    const pair = new RegExp(`--${token}: light-dark\\(oklch\\((.*?)\\), oklch\\((.*?)\\)\\)`).exec(css)!;
    expect(colours, token).toEqual([toHex(pair[1]!), toHex(pair[2]!)]);
  }
  const html = render(composeBookedMessage(sampleData));
  const dark = /@media \(prefers-color-scheme:dark\)\{([\s\S]*?)\n\}/.exec(html)![1]!;
  const tags = [...html.matchAll(/<[a-z]+ [^>]*#[0-9a-f]{6}[^>]*>/g)].map(([tag]) => tag);
  expect(tags.length).toBeGreaterThan(8);
  for (const tag of tags) {
    const [, name] = /class="([a-z]+)"/.exec(tag) ?? [];
    const [, rule = ''] = new RegExp(`^\\.${name}\\{(.*)\\}$`, 'm').exec(dark) ?? [];
    for (const [, property, colour] of tag.matchAll(/([a-z-]*color):(#[0-9a-f]{6})/g)) {
      const [, night] = Object.values(emailColours).find(([day]) => day === colour)!;
      expect(rule, tag).toContain(`${property}:${night}!important`);
    }
  }
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
});

/** Converts an OKLCH colour to sRGB with Ottosson's formula. Clips channels that are out of gamut, as screens do. */
function toHex(oklch: string): string {
  const [l = 0, c = 0, h = 0] = oklch.split(' ').map(Number);
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((linear) => {
    const clipped = Math.min(1, Math.max(0, linear));
    const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
