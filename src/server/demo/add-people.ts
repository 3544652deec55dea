import type { Role } from '#domain/access.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Card } from './charge-demo.ts';
import { demoApplicants } from './demo-applicants.ts';
import { demoBusiness, demoCoaches, demoCustomers } from './demo-coaches.ts';
import { at, clubAgeDays, customerJoinedMs, demoId } from './plan-demo.ts';

const day = 86_400_000;
const businessId = demoId('business', 0);

/** The id of the coach with this index in demo-coaches.ts. */
export const coachId = (index: number): string => demoId('coach', index);
/** The id of the customer with this index in demo-coaches.ts. */
export const customerId = (index: number): string => demoId('customer', index);
/** The id of the person with this index in demo-applicants.ts. */
export const applicantId = (index: number): string => demoId('applicant', index);

/**
 * Inserts all people with their profiles, the coaches' public details, and the first coach's business. `saved`: the
 * customers' cards, in the order of the customers.
 */
export async function addPeople(tx: Tx, passwordHash: string, saved: Card[], now: number): Promise<void> {
  type Member = {
    id: string;
    fullName: string;
    email: string;
    roles: Role[];
    card: Card | null;
    joinedMs: number;
  };
  const people: Member[] = [
    {
      id: demoId('admin', 0),
      fullName: 'Ada Admin',
      email: 'admin@demo.test',
      roles: ['customer', 'admin'],
      card: null,
      joinedMs: now - (clubAgeDays + 30) * day,
    },
    ...demoCoaches.map(
      (coach, index): Member => ({
        id: coachId(index),
        fullName: coach.fullName,
        email: coach.email,
        roles: ['customer', 'coach'],
        card: null,
        joinedMs: now - (clubAgeDays + 20 - index) * day,
      }),
    ),
    ...demoCustomers.map(
      (customer, index): Member => ({
        id: customerId(index),
        ...customer,
        roles: ['customer'],
        card: saved[index]!,
        joinedMs: customerJoinedMs(index, now),
      }),
    ),
    ...demoApplicants.map(
      ({ fullName, email, submittedDaysAgo }, index): Member => ({
        ...{ id: applicantId(index), fullName, email, roles: ['customer'], card: null },
        joinedMs: now - (submittedDaysAgo + 1) * day,
      }),
    ),
  ];
  await tx
    .insertInto('users')
    .values(
      people.map(({ id, fullName, email, joinedMs }) => ({
        userId: id,
        email,
        passwordHash,
        fullName,
        emailConfirmedAt: at(joinedMs),
        createdAt: at(joinedMs),
      })),
    )
    .execute();
  await tx
    .insertInto('profiles')
    .values(
      people.map(({ id, fullName, email, roles, card, joinedMs }) => ({
        userId: id,
        email,
        fullName,
        roles,
        createdAt: at(joinedMs),
        stripeCustomerId: card?.customer ?? null,
        stripePaymentMethodId: card?.method ?? null,
        paymentMethodBrand: card?.brand ?? null,
        paymentMethodLastFour: card?.lastFour ?? null,
      })),
    )
    .execute();
  await tx
    .insertInto('coachingBusinesses')
    .values({ ...demoBusiness, businessId, ownerUserId: coachId(0), createdAt: at(now - clubAgeDays * day) })
    .execute();
  await tx
    .insertInto('coaches')
    .values(
      demoCoaches.map(({ coachType, bio, sport, town, isColleague = false }, index) => ({
        coachId: coachId(index),
        businessId: index === 0 || isColleague ? businessId : null,
        businessRole: index === 0 ? 'owner' : 'employee',
        coachType,
        bio,
        sports: [sport],
        towns: [town],
        languages: ['English'],
        hourlyRateCents: 3000 + ((index + 3) % 5) * 500,
      })),
    )
    .execute();
}
