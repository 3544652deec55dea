import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, nextCursor, pageFields } from '../fields.ts';
import { someLines } from '../text.ts';
import { coachApplication, enteredApplication, ownApplication } from './application.ts';

const applicationId = z.uuid().describe('The application.');

/** Endpoints for applying for the coach role. */
export const applicationsApi = {
  getOwn: endpoint({
    method: 'GET',
    path: '/api/coach-application',
    operationId: 'get_coach_application',
    gate: 'signedIn',
    summary: 'Get my application to become a coach',
    description: "The caller's latest application for the coach role; null if there is none.",
    input: z.object({}),
    output: z.object({
      application: ownApplication.nullable(),
      joining: z
        .enum(['applications', 'at_once'])
        .describe('Whether admins decide on applications, or a complete application gives the role at once.'),
    }),
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/api/coach-application',
    operationId: 'save_coach_application',
    gate: 'signedIn',
    summary: 'Save my application',
    description:
      'Saves the draft, or the application that an admin asked to change. Starts a draft if there is none.',
    refusals: ['conflict'],
    input: z.object(enteredApplication),
    output: z.object({ application: ownApplication }),
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/coach-application/submissions',
    operationId: 'submit_coach_application',
    gate: 'signedIn',
    summary: 'Submit my application',
    description:
      'Submits the saved application if it is complete. The admins are notified, unless coaches join at once. Submitting again changes nothing.',
    refusals: ['not_found', 'conflict', 'unprocessable'],
    input: z.object({}),
    output: z.object({ application: ownApplication }),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/coach-application',
    operationId: 'withdraw_coach_application',
    gate: 'signedIn',
    summary: 'Withdraw my application',
    description: 'Withdraws the open application. A new one can be started with its content.',
    refusals: ['not_found', 'conflict'],
    input: z.object({}),
    output: z.object({ application: ownApplication }),
  }),
};

/** Endpoints with which admins decide on applications for the coach role. */
export const applicationQueueApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/coach-applications',
    operationId: 'list_coach_applications',
    gate: 'admin',
    summary: 'List applications',
    description:
      'Applications that wait for a decision, oldest first; or decided ones, the latest decision first. A page at a time.',
    input: z.object({
      state: z.enum(['waiting', 'decided']).default('waiting').describe('Which applications to list.'),
      ...pageFields({ size: 20, max: 100 }),
    }),
    output: z.object({
      applications: z.array(coachApplication),
      waiting: count.describe('All applications that wait for a decision.'),
      nextCursor,
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/admin/coach-applications/:applicationId',
    operationId: 'admin_get_coach_application',
    gate: 'admin',
    summary: 'Get an application',
    description: 'An application that has been submitted at least once.',
    refusals: ['not_found'],
    input: z.object({ applicationId }),
    output: z.object({ application: coachApplication }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/admin/coach-applications/:applicationId/decision',
    operationId: 'decide_coach_application',
    gate: 'admin',
    summary: 'Decide on an application',
    description:
      'Approves the application and so grants the coach role, asks for changes, or declines it. The person is emailed. A second decision about the same version is refused.',
    refusals: ['not_found', 'conflict', 'unprocessable'],
    reauthenticate: true,
    input: z.object({
      applicationId,
      decision: z.enum(['approve', 'changes', 'decline']).describe("The admin's decision."),
      message: someLines()
        .max(1000, "The message can't be longer than 1,000 characters.")
        .default('')
        .describe('What to change, or why it is declined; emailed to the person.')
        .meta({ examples: ['Please say where you have coached.'] }),
      submittedAt: z.iso
        .datetime({ offset: true, error: 'Reload the page.' })
        .describe('The `submittedAt` of the version that the admin read.'),
    }),
    output: z.object({ application: coachApplication }),
  }),
};
