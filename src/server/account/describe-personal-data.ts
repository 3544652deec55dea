import { dataRecipients } from '#domain/settings/data-recipients.ts';
import { personalData } from './personal-data.ts';
import type { Treatment } from './personal-data-entry.ts';

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const headings: [string, (treatment: Treatment) => boolean][] = [
  ['In the download', (treatment) => treatment === 'exported' || typeof treatment === 'function'],
  ['In the download, decrypted', (treatment) => treatment === 'decrypted'],
  ['In the download, last digits only', (treatment) => treatment === 'masked'],
  ['Not in the download: secrets', (treatment) => treatment === 'secret'],
  ["Not in the download: other people's ids", (treatment) => treatment === 'others'],
];

/** Renders the register of personal data as docs/privacy.md; a test compares the two. */
export function describePersonalData(): string {
  const people: string[] = [];
  const rest: string[] = [];
  for (const [name, entry] of Object.entries(personalData).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const title = `\`${snake(name)}\``;
    if (!('rowsOf' in entry)) {
      rest.push(`| ${title} | ${entry.reason} | ${entry.retention.text} |`);
      continue;
    }
    const columns = Object.entries(entry.columns) as [string, Treatment][];
    const lists = headings.flatMap(([heading, isMeant]) => {
      const meant = columns.filter(([, treatment]) => isMeant(treatment)).map(([column]) => snake(column));
      return meant.length > 0 ? [`- ${heading}: ${meant.join(', ')}`] : [];
    });
    people.push(
      [
        `### ${title}`,
        '',
        entry.purpose,
        '',
        `- Kept for: ${entry.retention.text}`,
        `- When the account is deleted: ${entry.erasure.text}`,
        ...(entry.dependant ? [`- When a dependant is deleted: ${entry.dependant.erasure.text}`] : []),
        ...lists,
        '',
      ].join('\n'),
    );
  }
  return `# Personal data

This page lists the data that we store about people, why and for how long we keep it, and what happens to it when an
account is deleted. The source is the register in \`src/server/account/personal-data.ts\`, from which the download, the
erasure, the cleanup job and this page are derived; \`npm run db:types\` updates this page. A column that the register
does not list fails the type check and \`personal-data.test.ts\`.

People can download their data and delete their account at /account, and do the same for their dependants. The cleanup
job runs every hour and deletes in batches. Emails and push messages stay in the job queue until they are sent; one that
could not be sent is deleted 30 days after the last attempt. Backups contain deleted data until the backups themselves
are deleted.

## Who receives personal data

| who | what the privacy notice says | when the account is deleted |
|---|---|---|
${dataRecipients.map(({ name, notice, afterDeletion }) => `| ${name} | ${notice} | ${afterDeletion} |`).join('\n')}

## About people

${people.join('\n')}
## Not about people

| table | contents | kept for |
|---|---|---|
${rest.join('\n')}
`;
}
