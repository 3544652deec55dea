import { sql } from 'kysely';
import type { Care } from '#domain/accounts/care.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { wallTimeOf } from '#domain/time.ts';
import { encryptCare } from '#server/accounts/care/care-details.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { customerId } from './add-people.ts';
import { demoCustomers } from './demo-coaches.ts';
import { demoId } from './plan-demo.ts';

const none = { medical: 'None', allergies: 'None', medication: 'None', access: 'None', learning: 'None' };

/** The children of the first demo customer, who share the customer's last name. */
const children = [
  {
    ...{ firstName: 'Rosa', age: 9, photos: 'coaching' as const },
    notes: {
      ...none,
      medical: 'Mild asthma',
      medication: 'Blue inhaler in the red bag, two puffs before running',
    },
  },
  { ...{ firstName: 'Theo', age: 12, photos: 'none' as const }, notes: none },
];

/** Gives the first demo customer two children, and one of the customer's upcoming lessons to each. */
export async function addFamily(tx: Tx, dataKeys: DataKeys, now: number): Promise<void> {
  const parentId = customerId(0);
  const { fullName } = demoCustomers[0]!;
  const lastName = fullName.split(' ').at(-1)!;
  const year = Number(wallTimeOf(now).date.slice(0, 4));
  for (const [index, { firstName, age, photos, notes }] of children.entries()) {
    const participantId = demoId('child', index);
    await tx
      .insertInto('participants')
      .values({
        ...{ participantId, kind: 'dependant', fullName: `${firstName} ${lastName}`, knownAs: firstName },
        dateOfBirth: `${year - age}-01-1${index}`,
      })
      .execute();
    await tx
      .insertInto('guardians')
      .values({ participantId, userId: parentId, relation: 'parent' })
      .execute();
    const care: Care = {
      notes,
      contacts: [{ name: fullName, telephone: '0113 496 0000', relation: 'Parent' }],
      collection: { mayLeaveAlone: age > 10, collectors: [fullName], password: null },
    };
    await tx
      .insertInto('participantCare')
      .values({ participantId, careEncrypted: encryptCare(dataKeys, participantId, care) })
      .execute();
    await tx
      .insertInto('consents')
      .values([
        {
          kind: 'medical',
          choice: 'yes',
          textVersion: consentTexts.medical.version,
          participantId,
          givenBy: parentId,
        },
        {
          kind: 'photos',
          choice: photos,
          textVersion: consentTexts.photos.version,
          participantId,
          givenBy: parentId,
        },
      ])
      .execute();
    // The customer keeps the next lesson; the children get the two after it.
    await sql`
      update bookings set participant_id = ${participantId}::uuid
      where booking_id = (
        select booking_id from bookings
        where customer_user_id = ${parentId}::uuid and participant_id = customer_user_id and status = 'booked'
          and lower(during) > now()
        order by lower(during) offset 1 limit 1)`.execute(tx);
  }
}
