import type { NotificationMessage } from '#domain/message.ts';
import { type DocumentKind, kindNames } from '#domain/settings/verification-policy.ts';
import { formatDay, type PlainDate } from '#domain/time.ts';
import { greet } from '../templates/greet.ts';

const coachPage = '/coach/verification';
const adminPage = '/admin/panel?tab=verification';
const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const dayOf = (date: PlainDate) => formatDay(`${date}T12:00:00Z`, Date.now());

/** Notifies an admin of a waiting document. The notification names nobody, because the app stores the text. */
export function composeDocumentWaitingMessage(kind: DocumentKind): NotificationMessage {
  const what = kindNames[kind];
  return {
    subject: `A coach submitted a document: ${what}`,
    summary: 'It counts once an admin has accepted it.',
    body: [`A coach submitted a document: ${what}. It counts once an admin has accepted it.`],
    action: { label: 'See what is waiting', path: adminPage },
  };
}

/** Notifies a coach of an admin's decision. `reason` is empty for an acceptance and for a criminal record check. */
export function composeDocumentDecidedMessage({
  fullName,
  kind,
  isAccepted,
  reason,
}: {
  fullName: string;
  kind: DocumentKind;
  isAccepted: boolean;
  reason: string;
}): NotificationMessage {
  const what = kindNames[kind];
  const summary = isAccepted
    ? 'It counts from now on.'
    : "It doesn't count. Your page “Checks and documents” says what to do next.";
  return {
    subject: isAccepted ? `Accepted: ${what}` : `Not accepted: ${what}`,
    summary,
    body: [
      greet(fullName),
      isAccepted
        ? `An admin checked this and accepted it: ${what}. ${summary}`
        : `An admin checked this and didn't accept it: ${what}. ${summary}`,
      ...(reason ? [{ quote: reason }] : []),
    ],
    action: { label: 'See your documents', path: coachPage },
  };
}

const inDays = (daysBefore: number, endsOn: PlainDate) =>
  daysBefore === 0 ? 'today' : `on ${dayOf(endsOn)}`;

/**
 * Reminds a coach, or the owner of the coach's business, of a document that ends soon. `coachName` is null for the
 * coach. A criminal record check doesn't end, but has to be checked again.
 */
export function composeDocumentEndingMessage({
  fullName,
  coachName,
  kind,
  endsOn,
  daysBefore,
}: {
  fullName: string;
  coachName: string | null;
  kind: DocumentKind;
  endsOn: PlainDate;
  daysBefore: number;
}): NotificationMessage {
  const what = kindNames[kind];
  const when = inDays(daysBefore, endsOn);
  const whose = coachName ? `${coachName}'s` : 'Your';
  const isCheck = kind === 'criminal_record_check';
  const text = isCheck
    ? `${whose} ${what} needs to be checked again ${when}. Certificates don't expire, but we check them again from time to time.`
    : `${whose} ${what} ends ${when}.`;
  const next = isCheck
    ? 'Show an admin the certificate, or agree to checks with the DBS Update Service.'
    : 'Submit the renewal now. Your current document counts until it ends.';
  return {
    subject: isCheck ? `Time to check again: ${what}` : `${capitalise(what)} ends ${when}`,
    summary: coachName ? `It belongs to ${coachName}.` : next,
    body: [greet(fullName), text, coachName ? "We've notified the coach too." : next],
    action: coachName
      ? { label: 'See your team', path: '/coach/team' }
      : { label: 'See your documents', path: coachPage },
  };
}
