import { z } from 'zod';
import { instant, lessonTitle, personName, sport } from '../fields.ts';
import { goalStatuses } from './rules.ts';

const noteText = z.string().meta({ examples: ['Keep the racket up after the split step.'] });

export const progressNote = z
  .object({
    noteId: z.uuid(),
    isShared: z.boolean().describe("False for a note that the family doesn't see."),
    isForAll: z.boolean().describe('Written for everyone in the lesson.'),
    body: noteText,
    createdAt: instant,
    updatedAt: instant,
    lockedAt: instant.describe('After this time, the note can only be added to.'),
    additions: z.array(z.object({ body: noteText, addedAt: instant })).describe('Oldest first.'),
    pictures: z.array(
      z.object({
        path: z.string().meta({ examples: ['a3/notes/b7.webp'] }),
        url: z.string().meta({
          description: 'Works for at least an hour.',
          examples: ['/storage/v1/object/sign/attachments/a3/b7?token=c1'],
        }),
        width: z.number().int(),
        height: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'SessionNote', description: "A coach's note after a lesson, as shown with one participant." });
export type ProgressNote = z.output<typeof progressNote>;

const lessonAnswer = z
  .object({
    rating: z.number().int().describe('How the lesson went, from 1 to 5.'),
    body: z.string().meta({ examples: ['She talked about it all evening.'] }),
    answeredAt: instant,
  })
  .meta({ id: 'LessonAnswer', description: "A family's answer. Only the coach of the lesson sees it." });
export type LessonAnswer = z.output<typeof lessonAnswer>;

const progressLesson = z
  .object({
    bookingId: z.uuid(),
    slotId: z.uuid(),
    title: lessonTitle,
    sport,
    startTime: instant,
    endTime: instant,
    coachName: personName,
    attended: z.boolean().nullable(),
    notes: z.array(progressNote),
    answer: lessonAnswer.nullable(),
    isAnswerable: z.boolean().describe('Whether the family can say how the lesson went.'),
  })
  .meta({ id: 'ProgressLesson', description: "A lesson in a participant's timeline." });
export type ProgressLesson = z.output<typeof progressLesson>;

const goal = z
  .object({
    goalId: z.uuid(),
    sport,
    title: z.string().meta({ examples: ['Serve ten times in a row'] }),
    dueOn: z.iso.date().nullable().describe('The date by which to reach the goal; null for none.'),
    status: z.enum(goalStatuses),
    createdAt: instant,
    decidedAt: instant.nullable().describe('When the goal was reached or dropped; null while it is open.'),
    coachName: personName,
  })
  .meta({ id: 'Goal', description: 'What a participant works towards, and by when.' });
export type Goal = z.output<typeof goal>;

const skillProgress = z
  .object({
    sport,
    name: z.string().meta({ examples: ['Serve'] }),
    assessments: z
      .array(z.object({ level: z.number().int(), at: instant, coachName: personName }))
      .describe('The newest 100 assessments, oldest first.'),
  })
  .meta({ id: 'SkillProgress', description: 'A skill with its assessments, each with its date.' });
export type SkillProgress = z.output<typeof skillProgress>;

/** A participant's goals and skills, and a page of the lessons with their notes, newest first. */
export const progress = z.object({
  participantId: z.uuid(),
  name: personName,
  goals: z.array(goal).describe('Open ones first, at most 100.'),
  skills: z.array(skillProgress).describe('By sport and name.'),
  lessons: z.array(progressLesson).describe('Newest first.'),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'The `cursor` of the next page; null at the end of the list.', examples: ['c2'] }),
});
export type Progress = z.output<typeof progress>;

const skill = z.object({ skillId: z.uuid(), sport, name: z.string().meta({ examples: ['Serve'] }) }).meta({
  id: 'Skill',
  description: 'A skill in the list of a business, or of a coach without one.',
});
export const skillList = z.array(skill).describe('In the order of the list.');
export type Skill = z.output<typeof skill>;

export const lessonNotes = z.object({
  slotId: z.uuid(),
  title: lessonTitle,
  sport,
  startTime: instant,
  endTime: instant,
  isStarted: z.boolean().describe('Notes can be written once the lesson has started.'),
  skills: skillList.describe("The list for the lesson's sport."),
  attendees: z
    .array(
      z.object({
        bookingId: z.uuid(),
        participantId: z.uuid(),
        fullName: personName,
        knownAs: personName.nullable(),
        attended: z.boolean().nullable(),
        arePicturesAllowed: z.boolean().describe('Whether the family allows photos for coaching.'),
        notes: z.array(progressNote),
        answer: lessonAnswer.nullable(),
        levels: z
          .array(z.object({ skillId: z.uuid(), level: z.number().int() }))
          .describe("This coach's newest level of each skill of the list."),
      }),
    )
    .describe('Everyone with a seat, by name.'),
});
export type LessonNotes = z.output<typeof lessonNotes>;
export type NotedAttendee = LessonNotes['attendees'][number];

export const concern = z
  .object({
    concernId: z.uuid(),
    body: z.string().meta({ examples: ['Came with bruises for the second time.'] }),
    participantName: personName,
    reporterName: personName,
    lesson: z.object({ title: lessonTitle, startTime: instant }),
    reportedAt: instant,
    handledAt: instant.nullable(),
    handledByName: personName.nullable(),
    isMine: z.boolean().describe('Whether the caller reported the concern.'),
  })
  .meta({ id: 'WelfareConcern', description: "A coach's concern about the welfare of a participant." });
export type Concern = z.output<typeof concern>;
