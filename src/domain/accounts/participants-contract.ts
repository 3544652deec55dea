import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, instant, personName } from '../fields.ts';
import { careStates } from './care.ts';
import { type ConsentKind, choicesOf } from './consents.ts';
import { dateOfBirth, fullName, isAdult, knownAs, participantKinds, relation } from './participants.ts';

const answer = <Kind extends ConsentKind>(kind: Kind) => z.enum(choicesOf(kind)).nullable();

export const birthDate = z.string().meta({ format: 'date', examples: ['2016-05-28'] });

const guardian = z.object({ fullName: personName, relation, isMe: z.boolean() }).meta({
  id: 'Guardian',
  description: "A person who books for a dependant and sees that dependant's details.",
});

/** A participant as their guardians see them. */
export const participant = z
  .object({
    participantId: z.uuid().describe("A person's own participant has the id of the person's account."),
    kind: z.enum(participantKinds),
    fullName: personName.describe("The name of the caller's own participant is the name of the account."),
    knownAs: personName.nullable(),
    dateOfBirth: birthDate
      .nullable()
      .describe('Null only for the caller, until a lesson with an age range requires it.'),
    relation: relation
      .nullable()
      .describe("The caller's relationship to the dependant; null for the caller."),
    guardians: z.array(guardian).describe('Empty for the caller.'),
    consents: z
      .object({
        photos: answer('photos'),
        firstAid: answer('first_aid'),
        medical: answer('medical'),
      })
      .describe('The consents in force; null if one was never answered.'),
    careState: z
      .enum(careStates)
      .describe(
        '`due`: confirmed more than 6 months ago. Nobody can book for a dependant unless the state is `confirmed`.',
      ),
    careConfirmedAt: instant
      .nullable()
      .describe('When the care details were last confirmed; null if none were given.'),
    upcomingLessons: count,
  })
  .meta({
    id: 'Participant',
    description: 'A person who takes part in lessons: the caller, or a dependant.',
  });
export type Participant = z.output<typeof participant>;

export const guardianInvitation = z
  .object({
    guardianInvitationId: z.uuid(),
    email: z.string().meta({ format: 'email' }),
    expiresAt: instant,
    isExpired: z.boolean(),
  })
  .meta({ id: 'GuardianInvitation', description: 'A pending invitation to become a guardian.' });
export type GuardianInvitation = z.output<typeof guardianInvitation>;

const participantId = z.uuid().describe('The participant.');

export const addParticipantInput = z.object({
  fullName,
  knownAs: knownAs.default(null),
  dateOfBirth,
  relation,
  isAdult,
});

/** Endpoints for the people that a person books for. Only a dependant's guardians can see that dependant. */
export const participantsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/participants',
    operationId: 'list_participants',
    gate: 'signedIn',
    summary: 'List the people I book for',
    description: 'The caller first, then the dependants by name.',
    input: z.object({}),
    output: z.object({ participants: z.array(participant) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/participants/:participantId',
    operationId: 'get_participant',
    gate: 'signedIn',
    summary: 'Get a participant',
    description: 'The caller or a dependant, with the pending invitations to become a guardian.',
    input: z.object({ participantId }),
    output: z.object({ participant, invitations: z.array(guardianInvitation) }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/participants',
    operationId: 'add_participant',
    gate: 'signedIn',
    summary: 'Add a dependant',
    description: 'Adds a child or another dependant and makes the caller a guardian.',
    refusals: ['conflict'],
    input: addParticipantInput,
    output: z.object({ participant }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/participants/:participantId',
    operationId: 'update_participant',
    gate: 'signedIn',
    summary: 'Change a participant',
    description:
      "Changes the given fields. Refused with `conflict` for the caller's own full name or relationship: the name belongs to the account.",
    refusals: ['conflict'],
    input: z.object({
      participantId,
      fullName: fullName.optional(),
      knownAs: knownAs.optional(),
      dateOfBirth: dateOfBirth.optional(),
      relation: relation.optional(),
    }),
    output: z.object({ participant }),
  }),
};
