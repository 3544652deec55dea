import type { MessageAction } from '#domain/message.ts';
import { type DocumentKind, kindNames } from '#domain/settings/verification-policy.ts';

/**
 * Kinds that a coach needs for lessons to be listed: `always` for all lessons, `forMinors` if under-18s can book them.
 */
export type NeededDocuments = { always: DocumentKind[]; forMinors: DocumentKind[] };

export const documentsPage = '/coach/verification';

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** "public liability insurance and safeguarding training", in the middle of a sentence. */
export const listKinds = (kinds: readonly DocumentKind[]): string =>
  list.format(kinds.map((kind) => kindNames[kind]));

/** For a new coach: what an admin has to accept before the lessons are listed. Empty if nothing is required. */
export function describeNeeded({ always, forMinors }: NeededDocuments): string[] {
  const sentences = [
    ...(always.length > 0
      ? [`Before your lessons can be found and booked, an admin has to accept your ${listKinds(always)}.`]
      : []),
    ...(forMinors.length > 0 ? [describeForMinors(forMinors, always.length > 0)] : []),
  ];
  if (sentences.length === 0) return [];
  return [`${sentences.join(' ')} Your page “Checks and documents” explains how to provide each of them.`];
}

const describeForMinors = (kinds: readonly DocumentKind[], isMore: boolean): string =>
  isMore
    ? `If any of them are open to under-18s, an admin also has to accept your ${listKinds(kinds)}.`
    : `If any of your lessons are open to under-18s, an admin has to accept your ${listKinds(kinds)} before your lessons can be found and booked.`;

/** The page that a new coach opens first: the documents, if lessons aren't listed without any, or else the calendar. */
export const firstPage = ({ always }: NeededDocuments): MessageAction =>
  always.length > 0
    ? { label: 'See which documents are needed', path: documentsPage }
    : { label: 'Open your calendar', path: '/coach/calendar' };
