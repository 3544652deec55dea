import type { Care } from '#domain/accounts/care.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { registerHours } from '#domain/bookings/register.ts';
import { wallTimeOf } from '#domain/time.ts';
import { encryptCare } from '#server/accounts/care/care-details.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import { coachId, customerId } from './add-people.ts';
import { demoChildren, demoCustomers } from './demo-coaches.ts';
import { at, type DemoBooking, demoId } from './plan-demo.ts';

const hour = 3_600_000;
const parentId = customerId(0);

/** The participant id of a child of the first demo customer. */
export const childId = (child: number): string => demoId('child', child);

/**
 * Adds the first demo customer's children with care details and consents, and records that their coaches opened the
 * register.
 */
export async function addFamily(
  tx: Tx,
  dataKeys: DataKeys,
  bookings: DemoBooking[],
  now: number,
): Promise<void> {
  const { fullName } = demoCustomers[0]!;
  const lastName = fullName.split(' ').at(-1)!;
  const year = Number(wallTimeOf(now).date.slice(0, 4));
  for (const [index, { firstName, age, photos, notes }] of demoChildren.entries()) {
    const participantId = childId(index);
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
      notes: { ...notes },
      contacts: [
        { name: fullName, telephone: '0113 496 0000', relation: 'Parent' },
        { name: `Gina ${lastName}`, telephone: '07700 900123', relation: 'Grandmother' },
      ],
      collection: { mayLeaveAlone: age > 10, collectors: [fullName, `Gina ${lastName}`], password: null },
    };
    await tx
      .insertInto('participantCare')
      .values({ participantId, careEncrypted: encryptCare(dataKeys, participantId, care) })
      .execute();
    const choices = { medical: 'yes', photos, first_aid: 'yes' } as const;
    for (const kind of ['medical', 'photos', 'first_aid'] as const) {
      const { version: textVersion } = consentTexts[kind];
      await tx
        .insertInto('consents')
        .values({ participantId, kind, choice: choices[kind], textVersion, givenBy: parentId })
        .execute();
    }
  }
  await addReads(tx, bookings, now);
}

/** Records that the coach of a child's lesson has opened the register, if it can already be opened. */
async function addReads(tx: Tx, bookings: DemoBooking[], now: number): Promise<void> {
  for (const { child, slot } of bookings) {
    if (child === null || slot.startMs - now > registerHours.before * hour) continue;
    await tx
      .insertInto('careReads')
      .values({
        ...{ participantId: childId(child), readBy: coachId(slot.coach), readerRole: 'coach' },
        ...{ slotId: slot.slotId, readAt: at(now - hour) },
      })
      .execute();
  }
}
