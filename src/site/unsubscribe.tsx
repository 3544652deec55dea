import type { NotificationKind } from '#domain/notifications/kinds.ts';
import { kindOf } from '#domain/notifications/kinds.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { Page, type Site } from './page.tsx';

const preferences = 'You can change this at any time under Notifications on your account page.';

/**
 * The page behind the link that stops emails of one kind. Opening the page changes nothing, because email scanners open
 * links too: the button posts the form. `state`: `ask` before, `done` after, `unknown` for an invalid link.
 */
export function UnsubscribePage({
  site,
  kind,
  state,
  token,
}: {
  site: Site;
  kind: NotificationKind | null;
  state: 'ask' | 'done' | 'unknown';
  token: string;
}) {
  const label = kind && kindOf(kind).label;
  const { title, text } = {
    ask: { title: 'Stop these emails?', text: `${label}: we'll stop sending you this by email.` },
    done: {
      title: 'These emails are switched off',
      text: `${label}: we no longer send you this by email. ${preferences}`,
    },
    unknown: {
      title: "This link doesn't work",
      text: 'The link may be incomplete. You can stop emails under Notifications on your account page.',
    },
  }[state];
  return (
    <Page site={site} title={title} description={text} path={null}>
      <div className="flex grow flex-col items-center justify-center py-10">
        <EmptyState
          titleAs="h1"
          title={title}
          action={
            state === 'ask' ? (
              <form method="post" action={`/unsubscribe?${new URLSearchParams({ token })}`}>
                <Button type="submit">Stop these emails</Button>
              </form>
            ) : (
              <Button asChild>
                <a href="/account#notifications">Notification preferences</a>
              </Button>
            )
          }
        >
          {text}
        </EmptyState>
      </div>
    </Page>
  );
}
