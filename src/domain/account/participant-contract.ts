import { z } from 'zod';
import { identityProof } from '../auth/contract.ts';
import { endpoint } from '../endpoint.ts';
import { ownData } from './contract.ts';

const participantId = z.uuid().describe('The participant.');

/** Calls for all of a dependant's data, for their guardians. */
export const participantDataApi = {
  download: endpoint({
    method: 'POST',
    path: '/api/participants/:participantId/data',
    operationId: 'get_participant_data',
    gate: 'signedIn',
    summary: "Download a dependant's data",
    description:
      "What is stored about a dependant, table by table. Requires the password or the authenticator app's code each time. The caller's own data is in `get_own_data`.",
    refusals: ['conflict', 'too_many_requests'],
    input: identityProof.extend({ participantId }),
    output: ownData,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/participants/:participantId',
    operationId: 'delete_participant',
    gate: 'signedIn',
    summary: 'Delete a dependant',
    description:
      'Permanently deletes name, date of birth and care details; bookings stay without them. Refused while lessons are booked or if there is another guardian.',
    refusals: ['conflict'],
    input: z.object({ participantId }),
    output: z.object({}),
  }),
};
