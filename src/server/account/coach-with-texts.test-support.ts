import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Club } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';

/** The bank details of the coach whom {@link openCoachWithTexts} creates. */
export const account = { accountName: 'Pat Privacy', sortCode: '08-99-99', accountNumber: '66374958' };

/**
 * Creates a coach whose texts contain `mark`, with two lessons at their location; returns the coach and the ids of the
 * lessons.
 */
export async function openCoachWithTexts(
  app: TestApp,
  club: Club,
  mark: string,
): Promise<{ coach: Someone; slotIds: [string, string] }> {
  const coach = await app.signIn('coach', 'customer');
  await app.call(coach, businessesApi.saveCoachProfile, { bio: `Bio${mark}`, coachType: `Type${mark}` });
  await app.call(coach, businessesApi.saveBusiness, {
    businessName: `Firm${mark} Tennis`,
    businessAddress: `Office${mark} Lane`,
  });
  await app.call(coach, payoutsApi.saveBankDetails, account);
  const { body: made } = await app.call(coach, catalogueApi.createTemplate, {
    title: `Volley${mark}`,
    description: `Description${mark}`,
    sport: 'tennis',
    durationMinutes: 60,
    basePriceCents: 5000,
    lessonType: 'group',
    minCapacity: 2,
    maxCapacity: 4,
  });
  const home = {
    ...{ name: 'My garden', address: `7 Home${mark} Road`, city: 'Leeds', postcode: 'LS1 4DY' },
    nation: 'england',
  } as const;
  const { body: created } = await app.call(coach, catalogueApi.createLocation, home);
  const slotIds = [await club.publish(), await club.publish()] as [string, string];
  const own = {
    coachId: coach.userId,
    templateId: made.template.templateId,
    locationId: created.location.locationId,
  };
  await app.db.updateTable('lessonSlots').set(own).where('slotId', 'in', slotIds).execute();
  return { coach, slotIds };
}
