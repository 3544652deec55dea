import { z } from 'zod';
import { care } from '../accounts/care.ts';
import { choicesOf } from '../accounts/consents.ts';
import { location } from '../catalogue/location.ts';
import { endpoint } from '../endpoint.ts';
import { instant, lessonTitle, personName } from '../fields.ts';

/** What a coach sees of a participant from the booking onwards. */
export const attendingParticipant = z.object({
  participantId: z.uuid(),
  knownAs: personName.nullable(),
  isDependant: z.boolean(),
  age: z
    .number()
    .int()
    .nullable()
    .describe(
      'In years on the day of the lesson; null if the date of birth is unknown or the booking was cancelled.',
    ),
  hasNotes: z.boolean().describe('Whether the register shows notes about health or needs.'),
  photos: z.enum(choicesOf('photos')).describe('The consent to photos; `none` unless another was given.'),
  bookedBy: personName
    .nullable()
    .describe('The person who booked and pays, for a dependant; otherwise null.'),
});

const registeredLesson = z
  .object({
    slotId: z.uuid(),
    title: lessonTitle,
    coachName: personName,
    startTime: instant,
    endTime: instant,
    location: location.nullable(),
  })
  .meta({ id: 'RegisteredLesson', description: 'A lesson with a register.' });
export type RegisteredLesson = z.output<typeof registeredLesson>;

const registerEntry = attendingParticipant
  .extend({
    bookingId: z.uuid(),
    fullName: personName,
    firstAid: z.enum(choicesOf('first_aid')).nullable().describe('Null if the question was never answered.'),
    attended: z.boolean().nullable(),
    care: care
      .extend({ confirmedAt: instant })
      .nullable()
      .describe('Null if none were given; people who book for themselves need not give any.'),
  })
  .meta({ id: 'RegisterEntry', description: 'A person with a seat in a lesson, with their care details.' });
export type RegisterEntry = z.output<typeof registerEntry>;

const slotId = z.uuid().describe('The lesson.');

/** Endpoints for a lesson's register, for its coach and for the owners and welfare officers of the coach's business. */
export const registerApi = {
  open: endpoint({
    method: 'POST',
    path: '/api/coach/slots/:slotId/register',
    operationId: 'open_register',
    gate: 'coach',
    summary: "Open a lesson's register",
    description:
      'Everyone with a seat in the lesson, with their care details, from 7 days before its start until 24 hours after its end. Each opening of care details is recorded, and the family can see the record.',
    refusals: ['conflict'],
    input: z.object({ slotId }),
    output: z.object({
      lesson: registeredLesson,
      visibleUntil: instant.describe('When a copy on a device must be deleted.'),
      entries: z.array(registerEntry),
    }),
  }),
  listOfTeam: endpoint({
    method: 'GET',
    path: '/api/coach/team/registers',
    operationId: 'list_team_registers',
    gate: 'coach',
    summary: "List the team's registers",
    description:
      "The colleagues' booked lessons whose registers can be opened now, in order of start time, at most 500. Empty for anyone but owners and welfare officers.",
    input: z.object({}),
    output: z.object({ lessons: z.array(registeredLesson) }),
  }),
};
