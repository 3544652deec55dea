import type { Message } from '#domain/message.ts';

/** An email's sender: the product's name and the reply-to address. */
export type Letterhead = {
  brand: string;
  contactEmail: string | null;
  /** The page that stops emails of this kind; null if they can't be stopped by a link. */
  unsubscribeUrl?: string | null;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!);

/** The label of a link's button, by the page it opens. */
const linkLabels: [RegExp, string][] = [
  [/^\/verify\?.*\blink=recovery\b/, 'Choose a new password'],
  [/^\/verify\?.*\blink=signup\b/, 'Confirm your email address'],
  [/^\/email-change\b/, 'Confirm the change'],
  [/^\/(forgot|reset)-password\b/, 'Choose a new password'],
  [/^\/account\b/, 'Open your account'],
  [/^\/login\b/, 'Sign in'],
  [/^\/team-invitation\b/, 'See the invitation'],
  [/^\/customer\/(my-bookings|bookings)\b/, 'See your bookings'],
  [/^\/coach\/bank-details\b/, 'Check your bank details'],
  [/^\/coach\/earnings\b/, 'See your earnings'],
  [/^\/coach\/team\b/, 'See your team'],
  [/^\/coach\/business\b/, 'See your pictures'],
  [/^\/admin\/panel\?tab=pictures\b/, 'See the reports'],
];

function labelOf(link: string): string {
  const { pathname, search } = new URL(link);
  return linkLabels.find(([pattern]) => pattern.test(pathname + search))?.[1] ?? 'Open the page';
}

const isLink = (paragraph: string) => /^https?:\/\/\S+$/.test(paragraph) && URL.canParse(paragraph);

/** A line of at least this many characters was wrapped, so the next line continues it. */
const wrappedFrom = 70;
const beginsLine = /^(?:[A-Z][\w ]{1,28}: |• |- )/;

function unwrap(paragraph: string): string[] {
  const lines: string[] = [];
  let before = '';
  for (const line of paragraph.split('\n')) {
    if (lines.length > 0 && before.length >= wrappedFrom && !beginsLine.test(line)) {
      lines.push(`${lines.pop()} ${line}`);
    } else lines.push(line);
    before = line;
  }
  return lines;
}

const button = (link: string) => {
  const href = escapeHtml(link);
  return `<p style="margin:24px 0 8px"><a class="button" href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5c3a;color:#ffffff;font-weight:600;text-decoration:none">${labelOf(link)}</a></p>
<p class="quiet" style="margin:0 0 24px;font-size:13px;line-height:20px;color:#5b6660;word-break:break-all">Or open this link: <a class="quiet" href="${href}" style="color:#5b6660">${href}</a></p>`;
};

/**
 * The HTML part of an email, generated from its text so that both say the same: a blank line ends a paragraph, and a
 * link on a separate line becomes a button with its URL below. One column, no pictures, no external resources.
 */
export function renderEmailHtml(
  { subject, text }: Message,
  { brand, contactEmail, unsubscribeUrl }: Letterhead,
): string {
  const address = contactEmail && escapeHtml(contactEmail);
  const linkContact = (html: string) =>
    address
      ? html.replaceAll(address, () => `<a href="mailto:${address}" style="color:inherit">${address}</a>`)
      : html;
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    // The text ends with the brand, which the HTML shows at the top instead.
    .filter((paragraph) => paragraph !== brand)
    .map((paragraph) =>
      isLink(paragraph)
        ? button(paragraph)
        : `<p style="margin:0 0 16px">${linkContact(unwrap(paragraph).map(escapeHtml).join('<br>\n'))}</p>`,
    );
  const reply = contactEmail
    ? linkContact(`Questions? Reply to this email, or write to ${escapeHtml(contactEmail)}.`)
    : 'This email was sent automatically.';
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #0b1511 !important; }
  .card { background: #13201a !important; border-color: #26352d !important; color: #e8efe9 !important; }
  .brand { color: #e8efe9 !important; }
  .quiet { color: #a3b1a8 !important; }
  .button { background: #7ddba6 !important; color: #0b1511 !important; }
}
</style>
</head>
<body style="margin:0;background:#fbfaf7">
<div class="page" style="background:#fbfaf7;padding:32px 16px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p class="brand" style="margin:0 0 16px;font-size:18px;line-height:24px;font-weight:700;color:#10231b">${escapeHtml(brand)}</p>
<div class="card" style="padding:24px;border:1px solid #e3e0d6;border-radius:12px;background:#ffffff;color:#10231b;font-size:16px;line-height:24px">
${paragraphs.join('\n')}
</div>
<p class="quiet" style="margin:16px 0 0;font-size:13px;line-height:20px;color:#5b6660">${reply}${
    unsubscribeUrl
      ? `<br><a class="quiet" href="${escapeHtml(unsubscribeUrl)}" style="color:#5b6660">Stop these emails</a>`
      : ''
  }</p>
</div>
</div>
</body>
</html>
`;
}
