import {
  audiences,
  channels,
  kindNames,
  kindOf,
  type NotificationChannel,
} from '#domain/notifications/kinds.ts';

const rules = { always: '**always**', on: 'on', off: 'off', never: '–' };
const channelList = Object.entries(channels) as [NotificationChannel, { label: string }][];

/** Every kind of notification with its defaults, as the text of docs/notifications.md. */
export function describeKinds(): string {
  const tables = Object.entries(audiences).map(([audience, title]) => {
    const rows = kindNames
      .filter((kind) => kindOf(kind).audience === audience)
      .map((kind) => {
        const { label, rules: own, isUrgent, hasUnsubscribe, mustReach } = kindOf(kind);
        const notes = [
          isUrgent && 'ignores quiet hours if the lesson starts within 12 hours',
          hasUnsubscribe && 'one-click unsubscribe',
          mustReach && 'the coach and the admins learn who was not reached',
        ].filter(Boolean);
        const cells = channelList.map(([channel]) => rules[own[channel]]);
        return `| \`${kind}\` | ${label} | ${cells.join(' | ')} | ${notes.join('; ')} |`;
      });
    return `## ${title}

| kind | when | ${channelList.map(([, { label }]) => label).join(' | ')} | |
|---|---|${channelList.map(() => '---|').join('')}---|
${rows.join('\n')}
`;
  });
  return `# Notifications

\`npm run db:types\` writes this file from src/domain/notifications/kinds.ts. "On" and "off" are defaults that each person
can change on the account page; "always" cannot be changed.

${tables.join('\n')}`;
}
