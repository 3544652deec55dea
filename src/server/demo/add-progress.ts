import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import { childId } from './add-family.ts';
import { coachId, customerId } from './add-people.ts';
import { at, type DemoBooking, demoId } from './plan-demo.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The coach's notes on the first child's lessons, oldest first; used in turn. */
const notes = [
  'A good first lesson. Holds the racket well and listens. Next time: bend the knees.',
  'Footwork is coming: small steps to every ball. The forehand still lands long.',
  'Ten balls in a row over the net, for the first time. Practise bouncing the ball on the racket at home.',
  'Started serving from the service line. Throw the ball a little higher.',
  'Played her first points and kept the score herself. Very brave at the net.',
  'The serve went in four times out of ten. Keep the left arm up for longer.',
  'A tired day, but the footwork held up. We finished with games.',
  'Won a tie-break against an older child. Ready for the next group after the summer.',
];
const privateNote =
  'Was breathless after the warm-up; used the inhaler twice and was fine. Tell the family if it happens again.';

const skills = ['Forehand', 'Footwork', 'Serve'];
/** The levels of each skill at the first, second, … lesson. */
const levels = [
  [1, 2, 2, 3, 3, 3, 4, 4],
  [1, 1, 2, 2, 3, 3, 3, 4],
  [1, 1, 1, 1, 2, 2, 3, 3],
];

const answers = [
  { rating: 5, body: 'She talked about it all evening.' },
  { rating: 4, body: 'Happy, but the hour felt long to her.' },
];

/**
 * Adds notes, levels, goals and answers for the lessons that the first child has had: a whole season, dated by lesson.
 */
export async function addProgress(tx: Tx, bookings: DemoBooking[], now: number): Promise<void> {
  const participantId = childId(0);
  const coach = coachId(0);
  const { businessId } = await tx
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', coach)
    .executeTakeFirstOrThrow();
  const taught = bookings
    .filter(({ child, attended, slot }) => child === 0 && attended === true && slot.endMs < now - 2 * hour)
    .sort((a, b) => a.slot.startMs - b.slot.startMs)
    .slice(-notes.length);
  await tx
    .insertInto('skills')
    .values(
      skills.map((name, position) => ({
        ...{ skillId: demoId('skill', position), businessId, sport: 'tennis', name, position },
      })),
    )
    .execute();
  const by = { participantId, coachId: coach, businessId };
  for (const [index, { bookingId, slot }] of taught.entries()) {
    const writtenMs = slot.endMs + hour / 2;
    const written = { createdAt: at(writtenMs), updatedAt: at(writtenMs), lockedAt: at(writtenMs + 7 * day) };
    const note = { ...by, bookingId, ...written };
    await tx
      .insertInto('sessionNotes')
      .values({ ...note, isShared: true, body: notes[index]! })
      .execute();
    if (index === 1) {
      await tx
        .insertInto('sessionNotes')
        .values({ ...note, isShared: false, body: privateNote })
        .execute();
    }
    const assessed = skills.map((skillName, skill) => ({
      ...{ ...by, bookingId, skillId: demoId('skill', skill), skillName, sport: 'tennis' },
      ...{ level: levels[skill]![index]!, at: at(writtenMs) },
    }));
    await tx.insertInto('assessments').values(assessed).execute();
    const answer = answers[taught.length - 1 - index];
    if (answer) {
      const answered = { answeredBy: customerId(0), answeredAt: at(Math.min(now, writtenMs + hour)) };
      await tx
        .insertInto('lessonAnswers')
        .values({ ...by, bookingId, ...answered, ...answer })
        .execute();
    }
  }
  await tx
    .insertInto('goals')
    .values([
      {
        ...{ ...by, sport: 'tennis', title: 'Ten balls in a row over the net', status: 'reached' },
        ...{ createdAt: at(now - 50 * day), decidedAt: at(now - 30 * day) },
      },
      {
        ...{ ...by, sport: 'tennis', title: 'Serve a whole game without a double fault' },
        ...{ createdAt: at(now - 20 * day), dueOn: at(now + 60 * day).slice(0, 10) },
      },
    ])
    .execute();
  await sql`insert into note_additions (note_id, body, added_at)
    select note_id, 'Three weeks later: the knees bend without a reminder.', created_at + interval '20 days'
    from session_notes where participant_id = ${participantId}::uuid and is_shared
      and created_at < now() - interval '21 days'
    order by created_at limit 1`.execute(tx);
}
