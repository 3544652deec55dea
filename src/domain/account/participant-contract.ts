import { z } from 'zod';
import { identityProof } from '../auth/contract.ts';
import { endpoint } from '../endpoint.ts';
import { ownData } from './contract.ts';

const participantId = z.uuid().describe('The participant.');

/** Endpoints with which guardians download a dependant's data or delete the dependant. */
export const participantDataApi = {
  download: endpoint({
    method: 'POST',
    path: '/api/participants/:participantId/data',
    operationId: 'get_participant_data',
    gate: 'signedIn',
    summary: "Download a dependant's data",
    description:
      "What is stored about a dependant, table by table. Requires the password or the authenticator app's code each time. For the caller's own data, call `get_own_data`.",
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
      "Permanently deletes the dependant's name, date of birth and care details; the bookings remain without them. Refused while the dependant has upcoming lessons or another guardian.",
    refusals: ['conflict'],
    input: z.object({ participantId }),
    output: z.object({}),
  }),
};
