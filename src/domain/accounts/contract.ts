import { z } from 'zod';
import { roles } from '../access.ts';
import { endpoint } from '../endpoint.ts';

/** What the product stores about a person, as that person sees it. */
export const profile = z.object({
  userId: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  roles: z.array(z.enum(roles)),
  /**
   * Roles the person lost but still has money in: bookings or a saved card as a customer, booked lessons or bank
   * details as a coach. They keep the pages about those.
   */
  formerRoles: z.array(z.enum(roles)),
  createdAt: z.string(),
  paymentMethodLastFour: z.string().nullable(),
  paymentMethodBrand: z.string().nullable(),
  /** An admin without the two-step sign-in that the operator requires; they can do nothing as an admin. */
  isTwoStepMissing: z.boolean(),
});
export type Profile = z.output<typeof profile>;

export const accountsApi = {
  getProfile: endpoint({
    method: 'GET',
    path: '/api/profile',
    operationId: 'get_profile',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ profile: profile.nullable() }),
    summary: "The signed-in person's profile; null before the first one was created.",
  }),
  createProfile: endpoint({
    method: 'POST',
    path: '/api/profile',
    operationId: 'create_profile',
    gate: 'signedIn',
    input: z.object({}),
    output: z.object({ profile }),
    summary: 'Creates the profile on first sign-in (role customer); answers the existing one afterwards.',
  }),
};
