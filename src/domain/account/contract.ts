import { z } from 'zod';
import { endpoint } from '#domain/endpoint.ts';
import { identityProof } from '../auth/contract.ts';

const instant = z.string();

/** Everything stored about a person, table by table, from the register of personal data. */
export const ownData = z.object({
  madeAt: instant,
  records: z.array(
    z.object({
      table: z.string(),
      purpose: z.string(),
      /** A sentence saying how long the rows are kept. */
      keptFor: z.string(),
      whenAccountIsDeleted: z.string(),
      /** Under the names of the columns; without secrets and other people's data. Money in pence, instants in UTC. */
      rows: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});
export type OwnData = z.output<typeof ownData>;

export const ownAccountApi = {
  getOwnData: endpoint({
    method: 'POST',
    path: '/api/account/data',
    operationId: 'get_own_data',
    gate: 'signedIn',
    input: identityProof,
    output: ownData,
    summary:
      "Everything that is kept of the signed-in person. Takes the password or the authenticator app's code each time: `unprocessable` for a wrong one.",
  }),
  getDeletion: endpoint({
    method: 'GET',
    path: '/api/account/deletion',
    operationId: 'get_deletion',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({
      /** One sentence for each thing to settle first. */
      blockers: z.array(z.string()),
    }),
    summary: 'What keeps the signed-in person from deleting the account; empty where nothing does.',
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/api/account/deletion',
    operationId: 'delete_account',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({}),
    summary:
      'Deletes the account for good. Needs the password to have been given lately; `conflict` while lessons or money are open.',
  }),
};
