import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { parseParams } from './api/params.ts';
import { formatAmount } from './objects/amounts.ts';
import { answerPaymentChallenge } from './objects/payment-intents.ts';
import { newId, type PaymentIntent, type SetupIntent } from './objects/records.ts';
import { answerSetupChallenge } from './objects/setup-intents.ts';
import { commit, type Incoming, type Simulator } from './simulator.ts';
import { Change, type Store } from './store.ts';

type Intent = PaymentIntent | SetupIntent;

/** Serves the bank's 3-D Secure page with its script and style sheet. Every URL in the page is relative. */
export async function answerChallenge(simulator: Simulator, incoming: Incoming) {
  const { method, path, response } = incoming;
  if (method === 'GET' && path === '/challenge.js') return send(response, 200, 'text/javascript', script);
  if (method === 'GET' && path === '/challenge.css') return send(response, 200, 'text/css', styles);
  const params = parseParams(method === 'POST' ? incoming.body : incoming.query);
  const intent = findIntent(simulator.store, path.slice('/challenge/'.length), params.text('client_secret'));
  if (!intent) {
    return sendPage(response, 404, 'Not found', '<p>This authentication request does not exist.</p>');
  }
  if (intent.status !== 'requires_action') {
    return sendPage(
      response,
      200,
      'Nothing to confirm',
      '<p>This request has already been answered. You can close this page.</p>',
      attributes(intent.id, intent.status === 'succeeded' ? 'succeeded' : 'failed'),
    );
  }
  if (method !== 'POST')
    return sendPage(
      response,
      200,
      "Confirm it's you",
      challengeForm(simulator.store, intent),
      ` data-intent="${intent.id}"`,
    );

  const isAuthentic = params.text('outcome') === 'succeeded';
  const change = new Change(simulator.store, newId('req'), null);
  if (intent.object === 'payment_intent') answerPaymentChallenge(change, intent, isAuthentic);
  else answerSetupChallenge(change, intent, isAuthentic);
  await commit(simulator, change, null);
  sendPage(
    response,
    200,
    isAuthentic ? 'Thank you' : 'Not confirmed',
    isAuthentic
      ? "<p>Your bank confirmed it's you. If this page stays open, you can go back.</p>"
      : "<p>Your bank could not confirm it's you. If this page stays open, you can go back.</p>",
    attributes(intent.id, isAuthentic ? 'succeeded' : 'failed'),
  );
}

function findIntent(store: Store, id: string, secret: string | null): Intent | null {
  const intent = store.paymentIntents.get(id) ?? store.setupIntents.get(id);
  if (!intent || secret === null) return null;
  const [known, given] = [Buffer.from(intent.client_secret), Buffer.from(secret)];
  return known.length === given.length && timingSafeEqual(known, given) ? intent : null;
}

function challengeForm(store: Store, intent: Intent): string {
  const { last4, brand } = store.paymentMethods.get(intent.payment_method!)!.card;
  const card = `${brand === 'amex' ? 'American Express' : brand[0]!.toUpperCase() + brand.slice(1)} card ending ${last4}`;
  const purpose =
    intent.object === 'payment_intent'
      ? `A payment of <strong>${formatAmount(intent.amount, intent.currency)}</strong> with your ${card}.`
      : `Saving your ${card} for later payments.`;
  return `<p>${purpose}</p>
<p class="note">This page stands in for your bank's 3-D Secure check. No real money moves.</p>
<form method="post">
<input type="hidden" name="client_secret" value="${intent.client_secret}">
<button class="main" name="outcome" value="succeeded">Complete authentication</button>
<button name="outcome" value="failed">Fail authentication</button>
</form>`;
}

/** The attributes of `<html>` that the script reads and reports to the embedding page. */
function attributes(intent: string, outcome: 'succeeded' | 'failed'): string {
  return ` data-intent="${intent}" data-outcome="${outcome}"`;
}

function sendPage(response: ServerResponse, status: number, title: string, content: string, result = '') {
  // The script blocks rendering, so that it already handles keys when the first button is shown.
  const script = result === '' ? '' : '\n<script src="../challenge.js"></script>';
  send(
    response,
    status,
    'text/html',
    `<!doctype html>
<html lang="en-GB"${result}>
<head>
<meta charset="utf-8">${script}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="../challenge.css">
</head>
<body>
<main>
<p class="bank">Sandbox Bank</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`,
  );
}

function send(response: ServerResponse, status: number, type: string, text: string) {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

const script = `const { intent, outcome } = document.documentElement.dataset;
const tell = (outcome) => window.parent.postMessage({ type: 'app-sandbox-3ds', intent, outcome }, location.origin);
if (window.parent !== window) {
  if (outcome) tell(outcome);
  else {
    // The embedding page doesn't receive keys that are pressed inside the frame.
    addEventListener('keydown', ({ key }) => key === 'Escape' && tell('dismissed'));
    // A form sent by the browser would add an entry to the embedding page's history.
    addEventListener('submit', async (event) => {
      event.preventDefault();
      await fetch(location.href, {
        method: 'POST',
        body: new URLSearchParams(new FormData(event.target, event.submitter)),
      });
      location.replace(location.href);
    });
  }
}
`;

const styles = `:root { color-scheme: light dark; --ground: #fbfaf6; --ink: #16211b; --muted: #56635b; --line: #c9d0ca; --main: #2456d6; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --ground: #121a16; --ink: #eef2ee; --muted: #a5b2aa; --line: #3b4941; --main: #8fb0ff; --on-main: #0d1a3a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 24px 20px; }
.bank { margin: 0 0 20px; padding-bottom: 12px; border-bottom: 1px solid var(--line); font-weight: 600; }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.15; }
p { margin: 0 0 16px; }
.note { color: var(--muted); font-size: 14px; }
form { display: grid; gap: 12px; }
button { min-height: 44px; padding: 8px 16px; border: 1px solid var(--muted); border-radius: 8px; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.main { border-color: var(--main); background: var(--main); color: var(--on-main); }
button:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
`;
