import { z } from 'zod';
import { endpoint } from '#domain/endpoint.ts';
import { identityProof } from '../auth/contract.ts';
import { instant } from '../fields.ts';

export const ownData = z
  .object({
    madeAt: instant.describe('When this copy was made.'),
    records: z.array(
      z.object({
        table: z.string().meta({ examples: ['profiles'] }),
        purpose: z.string().meta({ examples: ['To greet you by name.'] }),
        keptFor: z.string().meta({
          description: 'A sentence saying how long the rows are kept.',
          examples: ['As long as the account exists.'],
        }),
        whenAccountIsDeleted: z.string().meta({ examples: ['Deleted.'] }),
        rows: z
          .array(z.record(z.string(), z.unknown()).meta({ examples: [{ full_name: 'Alex Morgan' }] }))
          .describe(
            "Keyed by column name, without secrets or other people's data. Amounts in minor units (pence), instants in UTC.",
          ),
      }),
    ),
  })
  .meta({
    id: 'OwnData',
    description: "A person's stored personal data, table by table.",
  });
export type OwnData = z.output<typeof ownData>;

export const ownAccountApi = {
  getOwnData: endpoint({
    method: 'POST',
    path: '/api/account/data',
    operationId: 'get_own_data',
    gate: 'signedIn',
    summary: 'Download my data',
    description:
      "The signed-in person's stored personal data, table by table. Requires the password or the authenticator app's code each time. A wrong password or code is refused with `unprocessable`.",
    refusals: ['not_found', 'too_many_requests'],
    input: identityProof,
    output: ownData,
  }),
  getDeletion: endpoint({
    method: 'GET',
    path: '/api/account/deletion',
    operationId: 'get_deletion',
    gate: 'signedIn',
    summary: 'List what blocks the deletion of my account',
    description:
      'Everything that prevents the signed-in person from deleting their account; empty if nothing does.',
    refusals: ['conflict'],
    input: z.object({}),
    output: z.object({
      blockers: z
        .array(z.string().meta({ examples: ['You have 2 upcoming bookings.'] }))
        .describe('One sentence for each blocker.'),
    }),
  }),
  deleteAccount: endpoint({
    method: 'POST',
    path: '/api/account/deletion',
    operationId: 'delete_account',
    gate: 'signedIn',
    summary: 'Delete my account',
    description:
      'Permanently deletes the account. Requires the password to have been entered in the last 15 minutes. Refused with `conflict` while anything blocks the deletion.',
    refusals: ['conflict', 'confirmation_required'],
    input: z.object({}),
    output: z.object({}),
  }),
};
