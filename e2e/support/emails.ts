import { productUrl } from './api.ts';
import { expect } from './fixtures.ts';

type OutboxEmail = { to: string; subject: string; text: string };

/** Waits for an email to this address with a matching subject and returns the newest. */
export async function readEmail(to: string, subject: RegExp): Promise<OutboxEmail> {
  let found: OutboxEmail | undefined;
  await expect
    .poll(async () => {
      const answer = await fetch(`${productUrl}/sandbox/outbox?${new URLSearchParams({ to })}`);
      const { emails } = (await answer.json()) as { emails: OutboxEmail[] };
      found = emails.find((received) => subject.test(received.subject));
      return Boolean(found);
    })
    .toBe(true);
  return found!;
}

/** The first link in an email; throws if there is none. */
export function linkIn(received: OutboxEmail): string {
  const link = /https?:\/\/\S+/.exec(received.text)?.[0];
  if (!link) throw new Error(`No link in: ${received.text}`);
  return link;
}
