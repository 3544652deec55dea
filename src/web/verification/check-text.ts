import { type DocumentKind, kindNames } from '#domain/settings/verification-policy.ts';
import { addDays, type PlainDate } from '#domain/time.ts';
import { schemeNames } from '#domain/verification/documents.ts';
import type { CoachDocument, TrustFile } from '#domain/verification/documents-contract.ts';

/** One kind of document in a trust file. */
export type KindState = TrustFile['kinds'][number];

/** Days before the end from which screens ask for a renewal. The first reminder is sent on the same day. */
const endingDays = 60;

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const day = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** A kind as a heading: "Public liability insurance". */
export const titleOfKind = (kind: DocumentKind): string => capitalise(kindNames[kind]);
/** Kinds in the middle of a sentence: "insurance and first aid training". */
export const listKinds = (kinds: readonly DocumentKind[]): string =>
  list.format(kinds.map((kind) => kindNames[kind]));
/** "21 Nov 2026". */
export const formatDate = (date: PlainDate): string => day.format(new Date(`${date}T12:00:00Z`));

type Standing = 'valid' | 'ending' | 'waiting' | 'declined' | 'ended' | 'missing';

/** The state of one kind of document for a coach on the day `today`. */
export function standingOf({ coveredUntil, documents }: KindState, today: PlainDate): Standing {
  if (coveredUntil) return coveredUntil <= addDays(today, endingDays) ? 'ending' : 'valid';
  if (documents.some(({ status }) => status === 'submitted')) return 'waiting';
  const [latest] = documents.filter(({ status }) => status !== 'replaced');
  if (latest?.status === 'declined') return 'declined';
  return latest?.status === 'accepted' && latest.endsOn < today ? 'ended' : 'missing';
}

type Label = { label: string; tone: 'neutral' | 'primary' | 'success' | 'warning' | 'destructive' };

/**
 * The label of {@link standingOf}; criminal record checks have a day for the next check instead of an end.
 */
export function describeStanding(state: KindState, today: PlainDate): Label {
  const isCheck = state.kind === 'criminal_record_check';
  const until = state.coveredUntil && formatDate(state.coveredUntil);
  switch (standingOf(state, today)) {
    case 'valid':
      return {
        label: isCheck ? `Seen; we ask again after ${until}` : `Valid to ${until}`,
        tone: 'success',
      };
    case 'ending':
      return { label: isCheck ? `We ask again after ${until}` : `Ends on ${until}`, tone: 'warning' };
    case 'waiting':
      return { label: 'Waiting to be checked', tone: 'primary' };
    case 'declined':
      return { label: 'Declined', tone: 'destructive' };
    case 'ended':
      return { label: isCheck ? 'Needs to be shown again' : 'Ended', tone: 'destructive' };
    case 'missing':
      return state.isAsked
        ? { label: 'Missing', tone: 'warning' }
        : { label: 'Not submitted', tone: 'neutral' };
  }
}

/** Why a kind is required, in one sentence for coaches. */
export const reasons: Record<DocumentKind, string> = {
  criminal_record_check: 'Families want to know that someone has seen your certificate.',
  safeguarding: 'It shows that you know how to keep children safe and what to do when you are worried.',
  insurance: 'It covers you if someone is hurt or something is damaged in your lesson.',
  first_aid: 'It shows that you know what to do when someone is hurt.',
  licence: 'It shows that the governing body of your sport recognises you as a coach.',
};

/** Whether this coach must provide a kind, and what happens if it is missing. */
export function describeAsked({ isAsked, effect, askedOf }: KindState): string {
  if (!isAsked) {
    return askedOf === 'under_18s'
      ? 'We ask coaches of under-18s for this. You have no lessons for under-18s.'
      : "We don't ask for this. Once accepted, it gives you a badge.";
  }
  return effect === 'hidden'
    ? "We ask for this. Without it, your lessons can't be found or booked."
    : 'Without it, you have no badge, but your lessons can be booked.';
}

/** "DBS and PVG". */
export const nameSchemes = (schemes: KindState['schemes']): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(schemes.map((scheme) => schemeNames[scheme]));

/** The required kinds whose absence hides the coach's lessons today. */
export const missingKinds = (file: TrustFile): DocumentKind[] =>
  file.kinds
    .filter(({ isAsked, effect, coveredUntil }) => isAsked && effect === 'hidden' && !coveredUntil)
    .map(({ kind }) => kind);

/** The kinds whose documents end on `listedUntil`, which hides the coach's lessons from the next day. */
const endingKinds = ({ kinds, listedUntil }: TrustFile): DocumentKind[] =>
  kinds
    .filter(
      ({ isAsked, effect, coveredUntil }) => isAsked && effect === 'hidden' && coveredUntil === listedUntil,
    )
    .map(({ kind }) => kind);

type Warning = { tone: 'destructive' | 'warning'; title: string; text: string };

/** What the coach must know about being listed; null if there is nothing to do within the next 60 days. */
export function describeListing(file: TrustFile, today: PlainDate): Warning | null {
  const { isListed, hasLessons, listedUntil, teachesMinors, canTeachMinors } = file;
  if (!isListed) {
    const kinds = missingKinds(file);
    const accepted = `we've accepted your ${kinds.length > 0 ? listKinds(kinds) : 'documents'}`;
    if (!hasLessons) {
      return {
        tone: 'warning',
        title: 'Before your first lessons',
        text: `Lessons that you publish can't be found or booked until ${accepted}.`,
      };
    }
    return {
      tone: 'destructive',
      title: 'Your lessons are hidden',
      text: `Nobody can find or book them until ${accepted}. Lessons that are booked stay booked.`,
    };
  }
  if (listedUntil && listedUntil <= addDays(today, endingDays)) {
    const kinds = endingKinds(file);
    return {
      tone: 'warning',
      title: `Your lessons will be hidden after ${formatDate(listedUntil)}`,
      text: `Your ${kinds.length > 0 ? listKinds(kinds) : 'documents'} must be renewed by then. You lose nothing by renewing early.`,
    };
  }
  if (teachesMinors && !canTeachMinors) {
    return {
      tone: 'warning',
      title: "Under-18s can't book with you",
      text: 'You need a criminal record check and safeguarding training to teach anyone under 18. Adults can still book.',
    };
  }
  return null;
}

/** When a document was submitted or, once an admin has decided, when that was: "Accepted on 3 Nov 2026". */
export function describeProgress({ status, submittedAt, checkedAt }: CoachDocument): string {
  const on = (instant: string) => formatDate(instant.slice(0, 10));
  if (status === 'submitted' || !checkedAt) return `Submitted on ${on(submittedAt)}`;
  return `${status === 'declined' ? 'Declined' : 'Accepted'} on ${on(checkedAt)}`;
}
