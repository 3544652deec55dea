import { useQuery } from '@tanstack/react-query';
import Email from 'lucide-react/icons/mail';
import { Page } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';

type OutboxEmail = { to: string; subject: string; text: string; sentAt: string };
type PushMessage = {
  title: string;
  body: string;
  path: string;
  tag: string;
  endpoint: string;
  sentAt: string;
};

async function readOutbox(): Promise<OutboxEmail[]> {
  const response = await fetch('/sandbox/outbox');
  if (!response.ok) throw new Error(`The mailbox responded with ${response.status}`);
  return ((await response.json()) as { emails: OutboxEmail[] }).emails;
}

/** The messages that the simulated push service has decrypted. */
async function readPushMessages(): Promise<PushMessage[]> {
  const response = await fetch('/sandbox/push-messages');
  if (!response.ok) throw new Error(`The simulated push service responded with ${response.status}`);
  return ((await response.json()) as { messages: PushMessage[] }).messages;
}

const sentFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** In the demo only: the emails and push messages that would have been sent, newest first, with their links. */
export default function OutboxScreen() {
  const query = useQuery({
    queryKey: ['outbox'],
    queryFn: readOutbox,
    refetchInterval: 3_000,
  });
  return (
    <Page>
      <h1>Demo mailbox</h1>
      <p className="mt-2 mb-6 max-w-reading text-muted-foreground">
        The demo sends no real emails. Every email that it would have sent, to any address, is listed here.
      </p>
      <PushMessages />
      <h2 className="mb-2 text-base">Emails</h2>
      <QueryView
        query={query}
        isPart
        failure="Failed to load the mailbox"
        skeleton={<SkeletonRows />}
        isEmpty={(emails) => emails.length === 0}
        empty={
          <EmptyState title="No emails yet">Sign up, and the verification email will appear here.</EmptyState>
        }
      >
        {(emails) => (
          <ul className="divide-y border-y">
            {emails.map((email) => (
              <li key={email.sentAt + email.to + email.subject} className="py-5">
                <article>
                  <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                    <h3 className="text-base">{email.subject}</h3>
                    <time dateTime={email.sentAt} className="text-xs text-muted-foreground tabular-nums">
                      {sentFormat.format(new Date(email.sentAt))}
                    </time>
                  </div>
                  <p className="mt-1 flex items-center gap-1.5 text-sm text-muted-foreground">
                    <Email aria-hidden className="size-4 shrink-0" />{' '}
                    <span className="min-w-0 wrap-anywhere">{email.to}</span>
                  </p>
                  <EmailText text={email.text} />
                </article>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Page>
  );
}

/** Push messages to browsers that can't reach their own push service; renders nothing if there are none. */
function PushMessages() {
  const { data = [] } = useQuery({
    queryKey: ['push-messages'],
    queryFn: readPushMessages,
    refetchInterval: 3_000,
  });
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="push-messages" className="mb-8">
      <h2 id="push-messages" className="mb-2 text-base">
        Push notifications
      </h2>
      <ul className="divide-y border-y text-sm">
        {data.map(({ title, body, path, tag, endpoint, sentAt }) => (
          <li key={tag + endpoint} className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
            <a href={path} className="min-w-0 wrap-anywhere">
              <span className="font-medium">{title}</span> {body}
            </a>
            <time dateTime={sentAt} className="text-xs text-muted-foreground tabular-nums">
              {sentFormat.format(new Date(sentAt))}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An email's text; a URL in its own paragraph becomes a button. */
function EmailText({ text }: { text: string }) {
  return (
    <div className="mt-3 max-w-reading text-sm">
      {text.split(/\n{2,}/).map((paragraph, index) =>
        /^https?:\/\/\S+$/.test(paragraph.trim()) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <Button key={index} asChild size="sm" className="my-2">
            <a href={paragraph.trim()}>Follow the link in this email</a>
          </Button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <p key={index} className="my-2 whitespace-pre-line wrap-anywhere">
            {paragraph}
          </p>
        ),
      )}
    </div>
  );
}
