import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageFields, sport } from '../fields.ts';
import { oneLine } from '../text.ts';
import { progress, skillList } from './progress-shapes.ts';
import { goalStatuses, maxSkillsPerSport, payoutNeeds } from './rules.ts';

const goalTitle = oneLine('Enter the goal.')
  .min(1, 'Enter the goal.')
  .max(200, "A goal can't be longer than 200 characters.")
  .meta({ description: 'What the participant works towards.', examples: ['Serve ten times in a row'] });
const dueOn = z.iso
  .date('Choose a day.')
  .nullable()
  .describe('The date by which to reach the goal; null for none.');

/** Endpoints for goals, levels and the lists of skills, for coaches. */
export const skillsApi = {
  getParticipant: endpoint({
    method: 'GET',
    path: '/api/coach/participants/:participantId/progress',
    operationId: 'get_taught_progress',
    gate: 'coach',
    summary: 'Get the progress of someone I teach',
    description:
      "A page of the caller's lessons with a participant, with notes (private ones too) and answers, and the goals and levels. Leaves out what was written for a business that the coach has left.",
    input: z.object({
      participantId: z.uuid().describe('The participant.'),
      ...pageFields({ size: 10, max: 50 }),
    }),
    output: progress,
  }),
  assess: endpoint({
    method: 'POST',
    path: '/api/coach/bookings/:bookingId/assessments',
    operationId: 'assess_skill',
    gate: 'coach',
    summary: 'Assess a skill',
    description:
      'Adds an entry with the level of a skill. Entries are never overwritten; the newest one counts. Repeating the newest level at the same lesson adds nothing.',
    refusals: ['conflict'],
    input: z.object({
      bookingId: z.uuid().describe("The participant's booking."),
      skillId: z.uuid().describe('A skill of the list.'),
      level: z
        .number('Choose a level.')
        .int('Choose a level.')
        .min(1, 'Choose a level.')
        .max(5, 'Choose a level.'),
    }),
    output: z.object({}),
  }),
  addGoal: endpoint({
    method: 'POST',
    path: '/api/coach/bookings/:bookingId/goals',
    operationId: 'add_goal',
    gate: 'coach',
    summary: 'Add a goal',
    description: 'Adds a goal for a participant, which the family sees.',
    refusals: ['conflict'],
    input: z.object({
      bookingId: z.uuid().describe('A booking of the participant; the goal takes its sport.'),
      title: goalTitle,
      dueOn,
    }),
    output: z.object({ goalId: z.uuid() }),
  }),
  updateGoal: endpoint({
    method: 'PUT',
    path: '/api/coach/goals/:goalId',
    operationId: 'update_goal',
    gate: 'coach',
    summary: 'Change a goal',
    description: "Changes one of the caller's goals, marks it as reached or dropped, or reopens it.",
    input: z.object({
      goalId: z.uuid().describe('The goal.'),
      title: goalTitle,
      dueOn,
      status: z.enum(goalStatuses).describe('Whether the goal is open, reached or dropped.'),
    }),
    output: z.object({}),
  }),
  getLists: endpoint({
    method: 'GET',
    path: '/api/coach/skills',
    operationId: 'get_skills',
    gate: 'coach',
    summary: 'Get the lists of skills',
    description:
      "The skills of the coach's business or, without a business, of the coach, and what the business requires before a payout.",
    input: z.object({}),
    output: z.object({
      skills: skillList,
      canEdit: z.boolean().describe("False for a coach in a business who isn't one of its owners."),
      payoutNeeds: z.enum(payoutNeeds).nullable().describe('Null if the coach has no business.'),
    }),
  }),
  saveList: endpoint({
    method: 'PUT',
    path: '/api/coach/skills',
    operationId: 'save_skills',
    gate: 'coach',
    summary: 'Save the skills of a sport',
    description:
      'Replaces the list of a sport. Assessments of a skill that is removed remain in the timelines. Only owners of a business can change its lists.',
    refusals: ['forbidden', 'unprocessable'],
    input: z.object({
      sport: sport.describe('The sport.'),
      skills: z
        .array(
          z.object({
            skillId: z
              .uuid()
              .optional()
              .describe('A skill that stays or is renamed; left out for a new one.'),
            name: oneLine('Name the skill.')
              .min(1, 'Name the skill.')
              .max(60, "A skill can't be longer than 60 characters.")
              .meta({ description: 'The name.', examples: ['Serve'] }),
          }),
        )
        .max(maxSkillsPerSport, `A sport can have up to ${maxSkillsPerSport} skills.`)
        .describe('In the order of the list.'),
    }),
    output: z.object({ skills: skillList }),
  }),
  savePayoutNeeds: endpoint({
    method: 'PUT',
    path: '/api/coach/payout-needs',
    operationId: 'save_payout_needs',
    gate: 'coach',
    summary: 'Save what a payout needs',
    description:
      'Sets what a business requires before its lessons are paid out: nothing, attendance, or attendance and a note. Seven days after a lesson, it can be paid out in any case. Only for owners.',
    refusals: ['forbidden'],
    input: z.object({ payoutNeeds: z.enum(payoutNeeds).describe('What the business requires.') }),
    output: z.object({}),
  }),
};
