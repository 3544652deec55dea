import { z } from 'zod';
import { roles } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { cardBrand, emailAddress, instant, lastFour, personName } from '../fields.ts';
import { avatarUrl } from '../storage/contract.ts';

export const role = z.enum(roles).meta({ id: 'Role' });

export const profile = z
  .object({
    userId: z.uuid(),
    email: emailAddress,
    fullName: personName,
    roles: z.array(role),
    formerRoles: z
      .array(role)
      .describe(
        'Revoked roles with records that the person still has to manage: bookings or a saved card as a customer, booked lessons or bank details as a coach. The person keeps access to the pages for these records.',
      ),
    avatarUrl,
    createdAt: instant,
    paymentMethodLastFour: lastFour.nullable(),
    paymentMethodBrand: cardBrand.nullable(),
    isTwoStepMissing: z
      .boolean()
      .describe(
        'True for an admin who has not set up the two-step sign-in that the operator requires. Until then, the admin role has no effect.',
      ),
  })
  .meta({ id: 'Profile', description: 'The profile of a person, as that person sees it.' });
export type Profile = z.output<typeof profile>;

export const accountsApi = {
  getProfile: endpoint({
    method: 'GET',
    path: '/api/profile',
    operationId: 'get_profile',
    gate: 'signedIn',
    summary: 'Get my profile',
    description: "The signed-in person's profile; null until it is created.",
    input: z.object({}),
    output: z.object({ profile: profile.nullable() }),
  }),
  createProfile: endpoint({
    method: 'POST',
    path: '/api/profile',
    operationId: 'create_profile',
    gate: 'signedIn',
    summary: 'Create my profile',
    description:
      'Creates the profile at the first sign-in, with the customer role. Later calls return the existing profile.',
    input: z.object({}),
    output: z.object({ profile }),
  }),
};
