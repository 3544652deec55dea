import type { MessagePart, NotificationMessage } from '#domain/message.ts';
import type { DocumentKind } from '#domain/settings/verification-policy.ts';
import { formatLessonTime } from '#domain/time.ts';
import { greet } from '../templates/greet.ts';
import { documentsPage, listKinds } from './needed-documents.ts';

const adminPage = '/admin/panel?tab=verification';
const teamPage = '/coach/team';

type BookedLesson = { coachName: string; title: string; startTime: string; endTime: string; seats: number };
type HiddenCoach = {
  coachName: string;
  missing: DocumentKind[];
  missingForMinors: DocumentKind[];
  /** True if a criminal record check is missing although an admin has accepted another that hasn't ended. */
  hasOtherCheck: boolean;
};
/** The booked lessons that the documents don't cover, and whether there are more than listed. */
type Uncovered = { lessons: BookedLesson[]; areMore: boolean };

/** What the coach lacks; a general phrase if an admin has accepted it since the coach was hidden. */
function nameMissing({ missing, missingForMinors }: HiddenCoach): string {
  const kinds = [...missing, ...missingForMinors];
  return kinds.length > 0 ? listKinds(kinds) : 'a check or document that coaches need';
}

const listLessons = ({ lessons, areMore }: Uncovered, { areNamed }: { areNamed: boolean }): MessagePart[] => {
  if (lessons.length === 0) return ['No lessons are booked.'];
  return [
    'These lessons stay booked. Please decide whether they can go ahead:',
    ...lessons.map(({ coachName, title, startTime, endTime, seats }) => ({
      lesson: title,
      lines: [
        ...(areNamed ? [coachName] : []),
        `${formatLessonTime(startTime, endTime, Date.now())} (London time)`,
        `${seats} booked ${seats === 1 ? 'place' : 'places'}`,
      ],
    })),
    ...(areMore ? ['There are more booked lessons than we list here.'] : []),
  ];
};

/**
 * Explains what a coach may not expect: why lessons for under-18s need more, and why an accepted check
 * doesn't count.
 */
function describeWhy({ missingForMinors, hasOtherCheck }: HiddenCoach, isOwn: boolean): string[] {
  const verb = missingForMinors.length === 1 ? 'is' : 'are';
  const who = isOwn ? 'you have' : 'the coach has';
  return [
    ...(missingForMinors.length > 0
      ? [
          `The ${listKinds(missingForMinors)} ${verb} needed because ${who} lessons that are open to under-18s.`,
        ]
      : []),
    ...(hasOtherCheck
      ? [
          'A criminal record check that an admin has accepted counts only in the nations it is for, and for lessons with under-18s only if it covers work with children.',
        ]
      : []),
  ];
}

/** Notifies a coach, the owner of the coach's business or an admin that the coach's lessons are hidden from now on. */
export function composeCoachHiddenMessage({
  fullName,
  reader,
  coach,
  uncovered,
}: {
  fullName: string;
  reader: 'coach' | 'owner' | 'admin';
  coach: HiddenCoach;
  uncovered: Uncovered;
}): NotificationMessage {
  const isOwn = reader === 'coach';
  const whose = isOwn ? 'Your' : `${coach.coachName}'s`;
  const what = nameMissing(coach);
  return {
    subject: `${whose} lessons can't be booked at the moment`,
    summary: `Missing or ended: ${what}.`,
    body: [
      greet(fullName),
      `From now on, ${isOwn ? 'your' : whose} lessons can't be found or booked. This is missing or has ended: ${what}.`,
      ...describeWhy(coach, isOwn),
      isOwn
        ? 'Your page “Checks and documents” says what to do. Your lessons will be listed again as soon as an admin has accepted what is missing.'
        : "We've notified the coach too. The lessons will be listed again as soon as an admin has accepted what is missing.",
      ...listLessons(uncovered, { areNamed: false }),
    ],
    action: {
      coach: { label: 'See what is missing', path: documentsPage },
      owner: { label: 'See your team', path: teamPage },
      admin: { label: "See the coach's documents", path: adminPage },
    }[reader],
  };
}

/**
 * Notifies an owner or an admin of several coaches whose lessons are hidden from now on. `coaches` contains
 * the first of them, and `count` is their number. Only the body names them, because the app stores the
 * subject and the summary.
 */
export function composeCoachesHiddenMessage({
  fullName,
  reader,
  coaches,
  count,
  uncovered,
}: {
  fullName: string;
  reader: 'owner' | 'admin';
  coaches: HiddenCoach[];
  count: number;
  uncovered: Uncovered;
}): NotificationMessage {
  const more = count - coaches.length;
  return {
    subject: `${count} coaches' lessons can't be booked at the moment`,
    summary: 'A check or document that they need is missing or has ended.',
    body: [
      greet(fullName),
      `From now on, the lessons of ${count} coaches can't be found or booked, because a check or document that they need is missing or has ended:`,
      { facts: coaches.map((coach) => [coach.coachName, nameMissing(coach)]) },
      ...(more > 0 ? [`${more} more ${more === 1 ? 'coach is' : 'coaches are'} not listed here.`] : []),
      "We've notified them too. Their lessons will be listed again as soon as an admin has accepted what is missing.",
      ...listLessons(uncovered, { areNamed: true }),
    ],
    action:
      reader === 'owner'
        ? { label: 'See your team', path: teamPage }
        : { label: "See the coaches' documents", path: adminPage },
  };
}

/**
 * Notifies a coach or an owner that lessons are listed again. Meant for those who were notified that they were hidden.
 */
export function composeListedAgainMessage({
  fullName,
  reader,
  coachNames,
}: {
  fullName: string;
  reader: 'coach' | 'owner';
  coachNames: string[];
}): NotificationMessage {
  const count = coachNames.length;
  const names = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(coachNames);
  const isOwn = reader === 'coach';
  const lessons = isOwn ? 'Your lessons' : `The lessons of ${names}`;
  const whose = isOwn ? 'Your' : count === 1 ? `${names}'s` : `${count} coaches'`;
  return {
    subject: `${whose} lessons can be booked again`,
    summary: 'No required check or document is missing any more.',
    body: [
      greet(fullName),
      `${lessons} can be found and booked again. No required check or document is missing any more.`,
    ],
    action: isOwn
      ? { label: 'Open your calendar', path: '/coach/calendar' }
      : { label: 'See your team', path: teamPage },
  };
}
