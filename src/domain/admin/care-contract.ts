import { z } from 'zod';
import { care } from '../accounts/care.ts';
import { endpoint } from '../endpoint.ts';
import { personName } from '../fields.ts';
import { someLines } from '../text.ts';

/** The endpoint with which an admin opens one participant's care details, giving a reason that the family can read. */
export const adminCareApi = {
  open: endpoint({
    method: 'POST',
    path: '/api/admin/participants/:participantId/care',
    operationId: 'open_care',
    gate: 'admin',
    summary: 'Open care details',
    description:
      "A participant's care details. The reason is emailed to every guardian, or to the participant if they have an account, and remains in the list of readers that the family sees.",
    reauthenticate: true,
    input: z.object({
      participantId: z.uuid().describe('The participant.'),
      reason: someLines()
        .min(1, 'Enter the reason. The family will read it.')
        .max(500, "The reason can't be longer than 500 characters.")
        .meta({ examples: ['The family asked us to correct a telephone number.'] }),
    }),
    output: z.object({ fullName: personName, care: care.nullable() }),
  }),
};
